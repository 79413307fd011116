#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <lcms2.h>
#include <zlib.h>

#include "formats/png_chunk.h"
#include "libav/media_fixture.h"

namespace framewright {

constexpr cmsCIExyY kD65{0.3127, 0.3290, 1};

// The bytes of a profile, which is closed.
inline std::vector<uint8_t> savedProfile(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  REQUIRE(cmsSaveProfileToMem(profile, nullptr, &size));
  std::vector<uint8_t> bytes(size);
  REQUIRE(cmsSaveProfileToMem(profile, bytes.data(), &size));
  cmsCloseProfile(profile);
  return bytes;
}

inline std::vector<uint8_t> displayP3() {
  const cmsCIExyYTRIPLE primaries{{0.68, 0.32, 1}, {0.265, 0.69, 1}, {0.15, 0.06, 1}};
  const double srgb[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  cmsToneCurve* const curve = cmsBuildParametricToneCurve(nullptr, 4, srgb);
  cmsToneCurve* const curves[] = {curve, curve, curve};
  const std::vector<uint8_t> bytes = savedProfile(cmsCreateRGBProfile(&kD65, &primaries, curves));
  cmsFreeToneCurve(curve);
  return bytes;
}

// A copy of the file under `name` with `part` inserted at `at`; its path.
inline std::string withBytes(const std::string& path, const std::string& name, size_t at,
                             const std::vector<uint8_t>& part) {
  std::vector<uint8_t> bytes = fixture::readFile(path);
  bytes.insert(bytes.begin() + static_cast<ptrdiff_t>(at), part.begin(), part.end());
  const std::string target = fixture::path(name);
  fixture::writeFile(target, bytes);
  return target;
}

// A copy of the PNG file with a chunk behind its header.
inline std::string pngWithChunk(const std::string& path, const std::string& name, const char* type,
                                const std::vector<uint8_t>& body) {
  constexpr size_t kAfterHeader = 33;
  std::vector<uint8_t> chunk;
  appendPngChunk(chunk, type, body);
  return withBytes(path, name, kAfterHeader, chunk);
}

inline std::string pngWithProfile(const std::string& path, const std::string& name,
                                  const std::vector<uint8_t>& profile) {
  std::vector<uint8_t> packed(compressBound(profile.size()));
  uLongf size = packed.size();
  REQUIRE(compress(packed.data(), &size, profile.data(), profile.size()) == Z_OK);
  std::vector<uint8_t> body{'p', 0, 0};
  body.insert(body.end(), packed.begin(), packed.begin() + static_cast<ptrdiff_t>(size));
  return pngWithChunk(path, name, "iCCP", body);
}

}  // namespace framewright
