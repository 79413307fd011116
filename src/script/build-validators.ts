import { templateValidation } from './template-script.js';
import { scriptValidation } from './validation/schema.js';
import { buildValidator } from './validation/validator.js';

/** A program: the set-up runs it once the TypeScript is compiled. */
for (const source of [scriptValidation, templateValidation()]) buildValidator(source);
