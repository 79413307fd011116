#include "timeline/read_effects.h"

namespace framewright {
namespace {

constexpr double kMaxBlur = 500;  // canvas pixels; the layer grows by kBlurReach times that

// In the order of enum BlendMode.
constexpr std::string_view kBlendModes[] = {
    "normal",     "multiply",   "screen",     "overlay",    "darken",    "lighten", "color-dodge",
    "color-burn", "hard-light", "soft-light", "difference", "exclusion", "add",
};

std::optional<Correction> readCorrection(JsonReader& reader, const Json& clip, const std::string& path) {
  const Json* value = reader.object(clip, "correction", path, false);
  if (value == nullptr) return std::nullopt;
  const std::string here = path + ".correction";
  return Correction{
      reader.number(*value, "brightness", here, -1, 1), reader.number(*value, "contrast", here, -1000, 1000),
      reader.number(*value, "gamma", here, 0.1, 10), reader.number(*value, "saturation", here, 0, 3)};
}

std::optional<ChromaKey> readChromaKey(JsonReader& reader, const Json& clip, const std::string& path) {
  const Json* value = reader.object(clip, "chromaKey", path, false);
  if (value == nullptr) return std::nullopt;
  const std::string here = path + ".chromaKey";
  return ChromaKey{readColor(reader, *value, "color", here),
                   reader.number(*value, "tolerance", here, 1, 100)};
}

std::optional<ClipMask> readMask(JsonReader& reader, const Json& clip, const std::string& path) {
  const Json* value = reader.object(clip, "mask", path, false);
  if (value == nullptr) return std::nullopt;
  ClipMask mask;
  const std::string here = path + ".mask";
  mask.media = readMedia(reader, *value, here, false);
  mask.region = readRect(reader, *value, "region", here, false).value_or(mask.region);
  return mask;
}

std::optional<Reveal> readReveal(JsonReader& reader, const Json& clip, const std::string& path) {
  const Json* value = reader.object(clip, "reveal", path, false);
  if (value == nullptr) return std::nullopt;
  const std::string here = path + ".reveal";
  const auto side = [&](const char* name) { return readCurve(reader, *value, name, here, 0, 0, 1); };
  return Reveal{side("left"), side("top"), side("right"), side("bottom")};
}

}  // namespace

ClipEffects readEffects(JsonReader& reader, const Json& clip, const std::string& path) {
  ClipEffects effects;
  effects.correction = readCorrection(reader, clip, path);
  effects.chromaKey = readChromaKey(reader, clip, path);
  effects.cornerRadius = reader.number(clip, "cornerRadius", path, 0, kMaxCoordinate, 0);
  effects.mask = readMask(reader, clip, path);
  effects.blur = readCurve(reader, clip, "blur", path, 0, 0, kMaxBlur);
  effects.reveal = readReveal(reader, clip, path);
  effects.blend = static_cast<BlendMode>(reader.choice(clip, "blend", path, kBlendModes, 0));
  return effects;
}

std::optional<Waveform> readWaveform(JsonReader& reader, const Json& clip, const std::string& path) {
  const Json* value = reader.object(clip, "waveform", path, false);
  if (value == nullptr) return std::nullopt;
  const std::string here = path + ".waveform";
  return Waveform{readColor(reader, *value, "color", here), reader.number(*value, "amplitude", here, 0, 10)};
}

}  // namespace framewright
