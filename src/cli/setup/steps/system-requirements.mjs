/**
 * Requirements of the operating system: the Debian package, and a program, library or header that shows that it is installed
 * on other distributions or from source. `optional`: the consequence of its absence.
 */
const always = [
  { apt: 'g++', program: 'g++' },
  { apt: 'make', program: 'make' },
  { apt: 'cmake', program: 'cmake' },
  { apt: 'ninja-build', program: 'ninja' },
  { apt: 'pkg-config', program: 'pkg-config' },
  // node-gyp, which builds better-sqlite3, needs Python.
  { apt: 'python3', program: 'python3' },
  { apt: 'libavcodec-dev', library: 'libavcodec' },
  { apt: 'libavformat-dev', library: 'libavformat' },
  { apt: 'libavutil-dev', library: 'libavutil' },
  { apt: 'libswscale-dev', library: 'libswscale' },
  { apt: 'libswresample-dev', library: 'libswresample' },
  { apt: 'libhwy-dev', library: 'libhwy' },
  { apt: 'libebur128-dev', library: 'libebur128' },
  { apt: 'librubberband-dev', library: 'rubberband' },
  { apt: 'liblcms2-dev', library: 'lcms2' },
  { apt: 'zlib1g-dev', library: 'zlib' },
  // Declares NVIDIA's API; its libraries are loaded at run time.
  { apt: 'libffmpeg-nvenc-dev', library: 'ffnvcodec' },
  { apt: 'rapidjson-dev', header: 'rapidjson/document.h' },
  // The Vulkan compositor is compiled if these are installed; it is loaded at run time.
  { apt: 'libvulkan-dev', header: 'vulkan/vulkan_core.h', optional: 'graphics devices are not used' },
  { apt: 'glslc', program: 'glslc', optional: 'graphics devices are not used' },
  { apt: 'fonts-noto-core', optional: 'text in scripts that the bundled fonts lack is left out' },
  { apt: 'fonts-noto-color-emoji', optional: 'emoji are left out' },
  { apt: 'fonts-noto-cjk', optional: 'Chinese, Japanese and Korean text is left out' },
  { apt: 'fonts-liberation', optional: 'Arial, Times and Courier are drawn with other fonts' },
  { apt: 'chromium-headless-shell', program: 'chromium-headless-shell', optional: 'HTML elements cannot be drawn' },
  { apt: 'opentype-sanitizer', program: 'ots-sanitize', optional: 'fonts by URL are checked less strictly' },
  { apt: 'festival', optional: 'English is spoken by flite' },
  { apt: 'festvox-us-slt-hts', optional: 'English is spoken by flite' },
  { apt: 'flite', optional: 'English has only female voices, or espeak-ng' },
  { apt: 'espeak-ng', optional: 'languages other than English are not spoken' },
  // Encodes the clip of the demo and checks outputs in tests.
  { apt: 'ffmpeg', program: 'ffmpeg' },
];

const forTests = [
  { apt: 'doctest-dev', header: 'doctest/doctest.h' },
  { apt: 'libx264-dev', library: 'x264' },
  // The substitute for a VAAPI driver.
  { apt: 'libva-dev', library: 'libva' },
  // A software Vulkan driver and the validation layers.
  { apt: 'mesa-vulkan-drivers' },
  { apt: 'vulkan-validationlayers' },
  // Servers for tests with several hosts.
  { apt: 'postgresql' },
  { apt: 'redis-server', program: 'redis-server' },
  // Hosts whose clocks are wrong.
  { apt: 'faketime', program: 'faketime' },
  // An SFTP server, and certificates for an FTPS server.
  { apt: 'openssh-server', program: 'sshd' },
  { apt: 'openssl', program: 'openssl' },
  { apt: 'unicode-data', optional: "text order and line breaks are not checked against Unicode's test data" },
  // Runs the commands in the documentation.
  { apt: 'curl', program: 'curl' },
  { apt: 'strace', program: 'strace', optional: 'the files that the engine opens are not checked' },
];

/** The requirements for running, with `flags.tests` also those of the tests. */
export const systemRequirements = (flags) => (flags.tests ? [...always, ...forTests] : always);
