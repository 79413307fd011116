#include "libav/decode/color/icc_profile.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include <doctest/doctest.h>
#include <lcms2.h>

using namespace framewright;
using Bytes = std::vector<uint8_t>;

namespace {

Bytes savedProfile(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  REQUIRE(cmsSaveProfileToMem(profile, nullptr, &size));
  Bytes bytes(size);
  REQUIRE(cmsSaveProfileToMem(profile, bytes.data(), &size));
  cmsCloseProfile(profile);
  return bytes;
}

// Lab of four inks on paper, whose black is as light as print's.
cmsInt32Number inksToLab(const cmsUInt16Number inks[], cmsUInt16Number lab[], void*) {
  double rgb[3];
  for (int c = 0; c < 3; ++c) rgb[c] = (1 - 0.9 * inks[c] / 65535.0) * (1 - 0.85 * inks[3] / 65535.0);
  const cmsCIELab color{12 + 83 * (0.3 * rgb[0] + 0.6 * rgb[1] + 0.1 * rgb[2]), 110 * (rgb[0] - rgb[1]),
                        90 * (0.5 * rgb[0] + 0.5 * rgb[1] - rgb[2])};
  cmsFloat2LabEncodedV2(lab, &color);
  return 1;
}

// A printing profile of version 2, as most are.
Bytes printProfile() {
  const cmsHPROFILE profile = cmsCreateProfilePlaceholder(nullptr);
  cmsSetProfileVersion(profile, 2.1);
  cmsSetDeviceClass(profile, cmsSigOutputClass);
  cmsSetColorSpace(profile, cmsSigCmykData);
  cmsSetPCS(profile, cmsSigLabData);
  cmsPipeline* const pipeline = cmsPipelineAlloc(nullptr, 4, 3);
  cmsStage* const table = cmsStageAllocCLut16bit(nullptr, 9, 4, 3, nullptr);
  REQUIRE(cmsStageSampleCLut16bit(table, inksToLab, nullptr, 0));
  REQUIRE(cmsPipelineInsertStage(pipeline, cmsAT_END, table));
  REQUIRE(cmsWriteTag(profile, cmsSigAToB0Tag, pipeline));
  REQUIRE(cmsWriteTag(profile, cmsSigMediaWhitePointTag, cmsD50_XYZ()));
  cmsPipelineFree(pipeline);
  return savedProfile(profile);
}

Bytes greyProfile(double gamma) {
  cmsToneCurve* const curve = cmsBuildGamma(nullptr, gamma);
  const cmsHPROFILE profile = cmsCreateGrayProfile(cmsD50_xyY(), curve);
  cmsSetProfileVersion(profile, 2.1);
  cmsFreeToneCurve(curve);
  return savedProfile(profile);
}

// What Little CMS converts in floating point to sRGB of version 2, as other programs use it.
std::vector<float> exactSrgb(const Bytes& profile, const Bytes& pixels, bool isCmyk) {
  const cmsHPROFILE source =
      cmsOpenProfileFromMem(profile.data(), static_cast<cmsUInt32Number>(profile.size()));
  const cmsHPROFILE target = cmsCreate_sRGBProfile();
  cmsSetProfileVersion(target, 2.1);
  const cmsHTRANSFORM transform = cmsCreateTransform(source, isCmyk ? TYPE_CMYK_FLT : TYPE_GRAY_FLT, target,
                                                     TYPE_RGB_FLT, INTENT_PERCEPTUAL, cmsFLAGS_NOOPTIMIZE);
  std::vector<float> from;
  for (const uint8_t sample : pixels) from.push_back(static_cast<float>(sample) / (isCmyk ? 2.55f : 255));
  const size_t count = pixels.size() / (isCmyk ? 4 : 1);
  std::vector<float> to(3 * count);
  cmsDoTransform(transform, from.data(), to.data(), static_cast<cmsUInt32Number>(count));
  cmsDeleteTransform(transform);
  cmsCloseProfile(source);
  cmsCloseProfile(target);
  return to;
}

double worstError(const Bytes& profile, const Bytes& pixels, bool isCmyk) {
  const std::vector<float> exact = exactSrgb(profile, pixels, isCmyk);
  const auto read = IccProfile::read(profile);
  REQUIRE(read != nullptr);
  Bytes converted(exact.size());
  read->toSrgb(pixels.data(), converted.data(), exact.size() / 3);
  double worst = 0;
  for (size_t i = 0; i < exact.size(); ++i)
    worst = std::max(worst, std::abs(converted[i] - 255.0 * std::clamp(exact[i], 0.0f, 1.0f)));
  return worst;
}

}  // namespace

TEST_CASE("grey and CMYK profiles are converted within a level, also where colours are clipped or dark") {
  Bytes inks(4 * 20'000), greys(256);
  std::mt19937 random(5);
  for (uint8_t& ink : inks) ink = static_cast<uint8_t>(random());
  for (size_t i = 0; i < greys.size(); ++i) greys[i] = static_cast<uint8_t>(i);
  CHECK(worstError(printProfile(), inks, true) <= 1);
  for (const double gamma : {1.0, 1.4, 3.0}) CHECK(worstError(greyProfile(gamma), greys, false) <= 1);
  // Print's black is no black.
  const Bytes black{255, 255, 255, 255};
  CHECK(exactSrgb(printProfile(), black, true)[1] > 0.08f);
}
