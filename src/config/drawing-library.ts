const setting = 'DISABLE_SYSTEM_FONTS_LOAD';

/**
 * Loads @napi-rs/canvas without its list of the system's fonts, which is most of its start: it can be had later, and drawing finds those
 * fonts without it. The library can be told so through the environment alone.
 */
export function withoutSystemFonts<Library>(load: () => Library): Library {
  const before = process.env[setting];
  process.env[setting] = '1';
  try {
    return load();
  } finally {
    if (before === undefined) delete process.env[setting];
    else process.env[setting] = before;
  }
}
