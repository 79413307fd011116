#include "libav/decode/color/icc_profile.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include <doctest/doctest.h>
#include <lcms2.h>

#include "libav/color/saved_profile.h"
#include "libav/decode/color/profiled_image.h"

using namespace framewright;
using Bytes = std::vector<uint8_t>;

namespace {

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

TEST_CASE("CMYK JPEGs with subsampled components are interpolated") {
  constexpr int kSide = 32;
  const auto profile = IccProfile::read(printProfile());
  REQUIRE(profile != nullptr);
  // Magenta and yellow grow to the right and down, at every second sample in the subsampled frames.
  const auto converted = [&](AVPixelFormat layout) {
    const FramePtr frame(av_frame_alloc());
    frame->format = layout;
    frame->width = frame->height = kSide;
    REQUIRE(av_frame_get_buffer(frame.get(), 0) >= 0);
    const AVPixFmtDescriptor& format = *av_pix_fmt_desc_get(layout);
    for (int plane = 0; plane < 4; ++plane) {
      const bool isChroma = plane == 1 || plane == 2;
      const int stepX = isChroma ? 1 << format.log2_chroma_w : 1,
                stepY = isChroma ? 1 << format.log2_chroma_h : 1;
      for (int y = 0; y < kSide / stepY; ++y) {
        for (int x = 0; x < kSide / stepX; ++x) {
          const int middle = (2 * x + 1) * stepX * 2 + (2 * y + 1) * stepY;
          frame->data[plane][y * frame->linesize[plane] + x] = static_cast<uint8_t>(isChroma ? middle : 20);
        }
      }
    }
    auto image = convertCmyk(*frame, std::nullopt, *profile);
    REQUIRE(image.ok());
    return image.take();
  };
  const ImagePtr whole = converted(AV_PIX_FMT_YUVA444P);
  for (const AVPixelFormat layout : {AV_PIX_FMT_YUVA422P, AV_PIX_FMT_YUVA420P}) {
    const ImagePtr image = converted(layout);
    // Beyond the border there is nothing to interpolate with.
    for (int y = 1; y < kSide - 1; ++y) {
      for (int x = 1; x < kSide - 1; ++x) {
        for (int c = 0; c < 3; ++c) {
          const auto sampleOf = [&](const Image& from) {
            return from.plane(0).data[y * from.plane(0).stride + 4 * x + c];
          };
          CHECK(std::abs(sampleOf(*image) - sampleOf(*whole)) <= 1);
        }
      }
    }
  }
}
