#include "libav/outputs/mastering_display.h"

#include <cstring>

#include "libav/av_error.h"

namespace framewright {
namespace {

// Chromaticities in units of 0.00002, light in units of 0.0001 cd/m².
constexpr int kPrimaries[3][2] = {{34000, 16000}, {13250, 34500}, {7500, 3000}};  // red, green, blue
constexpr int kWhite[2] = {15635, 16450};
constexpr int kChromaticityUnit = 50000, kLightUnit = 10000;
constexpr int kMaxLight = 10'000'000, kMinLight = 1;

}  // namespace

std::string masteringDisplayText(HevcUnits) {
  return "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)";
}

std::string masteringDisplayText(Av1Units) {
  return "G(0.265,0.69)B(0.15,0.06)R(0.68,0.32)WP(0.3127,0.329)L(1000,0.0001)";
}

Status addMasteringDisplay(AVStream& stream) {
  AVMasteringDisplayMetadata* const display = av_mastering_display_metadata_alloc();
  if (display == nullptr) return outOfMemory("video stream");
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 2; ++k) display->display_primaries[i][k] = {kPrimaries[i][k], kChromaticityUnit};
  }
  for (int k = 0; k < 2; ++k) display->white_point[k] = {kWhite[k], kChromaticityUnit};
  display->max_luminance = {kMaxLight, kLightUnit};
  display->min_luminance = {kMinLight, kLightUnit};
  display->has_primaries = display->has_luminance = 1;
  const int status = av_stream_add_side_data(&stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
                                             reinterpret_cast<uint8_t*>(display), sizeof(*display));
  if (status >= 0) return {};
  av_free(display);
  return outOfMemory("video stream");
}

}  // namespace framewright
