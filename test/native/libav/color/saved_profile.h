#pragma once

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>
#include <lcms2.h>

namespace framewright {

// The bytes of a profile, which is closed.
inline std::vector<uint8_t> savedProfile(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  REQUIRE(cmsSaveProfileToMem(profile, nullptr, &size));
  std::vector<uint8_t> bytes(size);
  REQUIRE(cmsSaveProfileToMem(profile, bytes.data(), &size));
  cmsCloseProfile(profile);
  return bytes;
}

}  // namespace framewright
