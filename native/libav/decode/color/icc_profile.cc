#include "libav/decode/color/icc_profile.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include <lcms2.h>

namespace framewright {
namespace {

struct CloseProfile {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
struct DeleteTransform {
  void operator()(void* transform) const { cmsDeleteTransform(transform); }
};
using ProfilePtr = std::unique_ptr<void, CloseProfile>;
using TransformPtr = std::unique_ptr<void, DeleteTransform>;

class TransformProfile final : public IccProfile {
 public:
  TransformProfile(Kind kind, TransformPtr bytes, TransformPtr words)
      : IccProfile(kind), bytes_(std::move(bytes)), words_(std::move(words)) {}

  void toSrgb(const uint8_t* from, uint8_t* to, size_t count) const override {
    cmsDoTransform(bytes_.get(), from, to, static_cast<cmsUInt32Number>(count));
  }
  void toSrgb(const uint16_t* from, uint16_t* to, size_t count) const override {
    cmsDoTransform(words_.get(), from, to, static_cast<cmsUInt32Number>(count));
  }

 private:
  TransformPtr bytes_, words_;
};

std::optional<IccProfile::Kind> kindOf(cmsHPROFILE profile) {
  switch (cmsGetColorSpace(profile)) {
    case cmsSigGrayData:
      return IccProfile::Kind::kGrey;
    case cmsSigRgbData:
      return IccProfile::Kind::kRgb;
    case cmsSigCmykData:
      return IccProfile::Kind::kCmyk;
    default:
      return std::nullopt;
  }
}

// Whether no 8-bit colour changes by more than one level.
bool isNearSrgb(const IccProfile& profile) {
  if (profile.kind() == IccProfile::Kind::kCmyk) return false;
  constexpr int kSteps = 9;
  const bool isGrey = profile.kind() == IccProfile::Kind::kGrey;
  for (int i = 0; i < (isGrey ? kSteps : kSteps * kSteps * kSteps); ++i) {
    const int steps[3] = {i % kSteps, i / kSteps % kSteps, i / kSteps / kSteps};
    uint8_t from[4] = {0, 0, 0, 255}, to[4];
    for (int c = 0; c < 3; ++c) from[c] = static_cast<uint8_t>(steps[isGrey ? 0 : c] * 255 / (kSteps - 1));
    profile.toSrgb(from, to, 1);
    for (int c = 0; c < 3; ++c) {
      if (std::abs(from[c] - to[c]) > 1) return false;
    }
  }
  return true;
}

// sRGB as a version 2 profile: with one of version 4 Little CMS compensates the black point in perceptual
// conversions, which makes the shadows of a CMYK image up to 30 levels darker than in other programs.
ProfilePtr createSrgb() {
  ProfilePtr profile(cmsCreate_sRGBProfile());
  if (profile != nullptr) cmsSetProfileVersion(profile.get(), 2.1);
  return profile;
}

std::shared_ptr<const IccProfile> makeProfile(std::span<const uint8_t> bytes) {
  const ProfilePtr source(cmsOpenProfileFromMem(bytes.data(), static_cast<cmsUInt32Number>(bytes.size())));
  const ProfilePtr target = createSrgb();
  if (source == nullptr || target == nullptr) return nullptr;
  const auto kind = kindOf(source.get());
  if (!kind) return nullptr;
  const cmsUInt32Number format = *kind == IccProfile::Kind::kGrey  ? TYPE_GRAY_8
                                 : *kind == IccProfile::Kind::kRgb ? TYPE_RGBA_8
                                                                   : TYPE_CMYK_8;
  const bool isRgb = *kind == IccProfile::Kind::kRgb;
  // Little CMS samples other conversions than matrices into a table, which misses up to 30 levels where
  // colours are clipped and 6 in dark grey.
  const bool isExactWhenOptimized = isRgb && cmsIsMatrixShaper(source.get());
  // Without the cache a transform may be used by several threads.
  TransformPtr transform(cmsCreateTransform(
      source.get(), format, target.get(), isRgb ? TYPE_RGBA_8 : TYPE_RGB_8, INTENT_PERCEPTUAL,
      cmsFLAGS_NOCACHE | (isExactWhenOptimized ? cmsFLAGS_HIGHRESPRECALC : cmsFLAGS_NOOPTIMIZE) |
          (isRgb ? cmsFLAGS_COPY_ALPHA : 0)));
  // Optimized conversions of matrices have 8 bits.
  TransformPtr words(
      *kind == IccProfile::Kind::kCmyk
          ? nullptr
          : cmsCreateTransform(source.get(), isRgb ? TYPE_RGBA_16 : TYPE_GRAY_16, target.get(),
                               isRgb ? TYPE_RGBA_16 : TYPE_RGB_16, INTENT_PERCEPTUAL,
                               cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE | (isRgb ? cmsFLAGS_COPY_ALPHA : 0)));
  if (transform == nullptr || (words == nullptr && *kind != IccProfile::Kind::kCmyk)) return nullptr;
  auto profile = std::make_shared<TransformProfile>(*kind, std::move(transform), std::move(words));
  if (isNearSrgb(*profile)) return nullptr;
  return profile;
}

}  // namespace

std::shared_ptr<const IccProfile> IccProfile::read(std::span<const uint8_t> bytes) {
  constexpr size_t kMaxRetained = 4;
  struct Entry {
    std::vector<uint8_t> bytes;
    std::shared_ptr<const IccProfile> profile;
  };
  static std::mutex mutex;
  static std::deque<Entry> entries;
  if (bytes.empty()) return nullptr;
  const std::lock_guard lock(mutex);
  for (const Entry& entry : entries) {
    if (std::ranges::equal(entry.bytes, bytes)) return entry.profile;
  }
  if (entries.size() >= kMaxRetained) entries.pop_back();
  entries.push_front({{bytes.begin(), bytes.end()}, makeProfile(bytes)});
  return entries.front().profile;
}

}  // namespace framewright
