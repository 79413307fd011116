/**
 * What has to come from the operating system: the Debian package and how to tell that it is there
 * when the package name says nothing (another distribution, or a build from source).
 */
const always = [
  { apt: 'g++', program: 'g++' },
  { apt: 'make', program: 'make' },
  { apt: 'cmake', program: 'cmake' },
  { apt: 'ninja-build', program: 'ninja' },
  { apt: 'pkg-config', program: 'pkg-config' },
  // node-gyp, which builds better-sqlite3, is driven by Python.
  { apt: 'python3', program: 'python3' },
  { apt: 'libavcodec-dev', library: 'libavcodec' },
  { apt: 'libavformat-dev', library: 'libavformat' },
  { apt: 'libavutil-dev', library: 'libavutil' },
  { apt: 'libswscale-dev', library: 'libswscale' },
  { apt: 'libswresample-dev', library: 'libswresample' },
  { apt: 'libhwy-dev', library: 'libhwy' },
  { apt: 'libebur128-dev', library: 'libebur128' },
  { apt: 'zlib1g-dev', library: 'zlib' },
  { apt: 'rapidjson-dev', header: 'rapidjson/document.h' },
  // Composing on graphics devices is compiled where these are; nothing of them is linked.
  { apt: 'libvulkan-dev', header: 'vulkan/vulkan_core.h', optional: 'graphics devices are not used' },
  { apt: 'glslc', program: 'glslc', optional: 'graphics devices are not used' },
  { apt: 'fonts-noto-core', optional: 'text in scripts that the bundled fonts lack is left out' },
  { apt: 'fonts-noto-color-emoji', optional: 'emoji are left out' },
  { apt: 'fonts-noto-cjk', optional: 'Chinese, Japanese and Korean text is left out' },
  { apt: 'fonts-liberation', optional: 'Arial, Times and Courier are drawn with other fonts' },
  { apt: 'chromium-headless-shell', program: 'chromium-headless-shell', optional: 'HTML elements cannot be drawn' },
  { apt: 'opentype-sanitizer', program: 'ots-sanitize', optional: 'fonts that scripts name by address are drawn with less of a check' },
  { apt: 'festival', optional: 'English is spoken by flite' },
  { apt: 'festvox-us-slt-hts', optional: 'English is spoken by flite' },
  { apt: 'flite', optional: 'English is spoken by women alone, or by a robot' },
  { apt: 'espeak-ng', optional: 'languages other than English are not spoken' },
  // The command line program draws the demo's own film clip and is the tests' independent witness.
  { apt: 'ffmpeg', program: 'ffmpeg' },
];

const forTests = [
  { apt: 'doctest-dev', header: 'doctest/doctest.h' },
  { apt: 'libx264-dev', library: 'x264' },
  // A Vulkan driver in software, and the checks of how it is used.
  { apt: 'mesa-vulkan-drivers' },
  { apt: 'vulkan-validationlayers' },
  // Real servers of what several machines share.
  { apt: 'postgresql' },
  { apt: 'redis-server', program: 'redis-server' },
  // A real SFTP server and the certificates of a real FTPS server.
  { apt: 'openssh-server', program: 'sshd' },
  { apt: 'openssl', program: 'openssl' },
  // The commands of the manual are run as they stand there.
  { apt: 'curl', program: 'curl' },
  { apt: 'strace', program: 'strace', optional: 'which files the engine opens is not counted' },
];

export const systemRequirements = (flags) => (flags.tests ? [...always, ...forTests] : always);
