import { templateValidation } from './template-script.js';
import { scriptValidation } from './validation/schema.js';
import { buildValidator } from './validation/validator.js';

/** Program run by the build after compiling TypeScript: writes the precompiled validators. */
for (const source of [scriptValidation, templateValidation()]) buildValidator(source);
