#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace framewright {

// An ICC profile as a conversion to sRGB (perceptual intent), within a level of Little CMS' floating-point
// result. Immutable; any thread.
class IccProfile {
 public:
  enum class Kind { kGrey, kRgb, kCmyk };

  // Null: damaged, of another kind, or so close to sRGB that nothing needs to be converted. Equal bytes give
  // the same object while it is among the latest ones.
  static std::shared_ptr<const IccProfile> read(std::span<const uint8_t> bytes);

  virtual ~IccProfile() = default;
  Kind kind() const { return kind_; }
  // Converts pixels: grey to RGB, RGBA to RGBA (alpha is copied), CMYK (255: full ink) to RGB. Not in place.
  virtual void toSrgb(const uint8_t* from, uint8_t* to, size_t count) const = 0;
  // The same with 16 bits a sample, for grey and RGB.
  virtual void toSrgb(const uint16_t* from, uint16_t* to, size_t count) const = 0;

 protected:
  explicit IccProfile(Kind kind) : kind_(kind) {}

 private:
  const Kind kind_;
};

}  // namespace framewright
