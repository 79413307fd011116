#include "libav/light/mastering_display.h"

#include <cstdio>

#include "libav/av_error.h"

namespace framewright {
namespace {

constexpr int kChromaticityUnit = MasteringDisplay::kChromaticityUnit,
              kLightUnit = MasteringDisplay::kLightUnit;

// In the syntax that both encoders share: the numbers divided by the units.
std::string displayText(const MasteringDisplay& display, int chromaticityUnit, int lightUnit) {
  const auto pair = [](const char* name, int64_t a, int64_t b, int unit) {
    char text[64];
    std::snprintf(text, sizeof text, "%s(%.10g,%.10g)", name, static_cast<double>(a) / unit,
                  static_cast<double>(b) / unit);
    return std::string(text);
  };
  const auto color = [&](const char* name, const MasteringDisplay::Chromaticity& xy) {
    return pair(name, xy[0], xy[1], chromaticityUnit);
  };
  return color("G", display.green) + color("B", display.blue) + color("R", display.red) +
         color("WP", display.white) + pair("L", display.maxLight, display.minLight, lightUnit);
}

}  // namespace

std::string masteringDisplayText(const MasteringDisplay& display, HevcUnits) {
  return displayText(display, 1, 1);
}

std::string masteringDisplayText(const MasteringDisplay& display, Av1Units) {
  return displayText(display, kChromaticityUnit, kLightUnit);
}

Status addMasteringDisplay(AVStream& stream, const MasteringDisplay& display) {
  AVMasteringDisplayMetadata* const metadata = av_mastering_display_metadata_alloc();
  if (metadata == nullptr) return outOfMemory("video stream");
  const MasteringDisplay::Chromaticity* const primaries[] = {&display.red, &display.green, &display.blue};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 2; ++k)
      metadata->display_primaries[i][k] = {(*primaries[i])[k], kChromaticityUnit};
  }
  for (size_t k = 0; k < 2; ++k) metadata->white_point[k] = {display.white[k], kChromaticityUnit};
  metadata->max_luminance = {static_cast<int>(display.maxLight), kLightUnit};
  metadata->min_luminance = {static_cast<int>(display.minLight), kLightUnit};
  metadata->has_primaries = metadata->has_luminance = 1;
  const int status = av_stream_add_side_data(&stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
                                             reinterpret_cast<uint8_t*>(metadata), sizeof(*metadata));
  if (status >= 0) return {};
  av_free(metadata);
  return outOfMemory("video stream");
}

}  // namespace framewright
