import * as v from 'valibot';
import { code, path, text } from './parts.ts';

/** What `doctor --json` prints. */
export const doctorSchema = v.strictObject({
  schema: v.literal('coppice.doctor.v1'),
  repository: v.strictObject({ path }),
  ailments: v.array(
    v.strictObject({
      code,
      row: v.pipe(v.nullable(v.string()), v.description('The id of the row that it is about; null: the whole.')),
      text,
      mend: v.pipe(v.nullable(v.string()), v.description('A command that mends it; null: none does for all cases.')),
    }),
  ),
});

export type DoctorDocument = v.InferOutput<typeof doctorSchema>;
