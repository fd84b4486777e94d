// Question: may somebody have reserved what it works on?
// Evidence: the settings, and reservation branches that are here. This version cannot read them, so all worktrees stay.
import { holds } from '../../evidence.ts';
import type { WorktreeHold } from './hold.ts';

export const UNREAD_RESERVATIONS = 'reservations are in use here, and this version cannot read them';

export const reservationsUnread: WorktreeHold = ({ admin }, { hasUnreadReservations }) =>
  admin !== null && hasUnreadReservations ? holds('reservations-unread', UNREAD_RESERVATIONS) : null;
