#include "timeline/parse_effects.h"

#include <cmath>

namespace framewright {
namespace {

// In the order of enum KeyView.
constexpr std::string_view kKeyViews[] = {"result", "matte", "spill"};

// In the order of enum BlendMode.
constexpr std::string_view kBlendModes[] = {
    "normal",     "multiply",   "screen",     "overlay",    "darken",    "lighten", "color-dodge",
    "color-burn", "hard-light", "soft-light", "difference", "exclusion", "add",
};

std::optional<CorrectionCurves> readCorrection(JsonReader& reader, const Json& clip,
                                               const std::string& path) {
  const Json* value = reader.object(clip, "correction", path, false);
  if (value == nullptr) return std::nullopt;
  const std::string here = path + ".correction";
  return CorrectionCurves{requiredCurve(reader, *value, "brightness", here, -1, 1),
                          requiredCurve(reader, *value, "contrast", here, -1000, 1000),
                          requiredCurve(reader, *value, "gamma", here, 0.1, 10),
                          requiredCurve(reader, *value, "saturation", here, 0, 3)};
}

std::optional<ChromaKeyCurves> readChromaKey(JsonReader& reader, const Json& clip, const std::string& path) {
  const Json* value = reader.object(clip, "chromaKey", path, false);
  if (value == nullptr) return std::nullopt;
  const std::string here = path + ".chromaKey";
  ChromaKeyCurves key;
  key.color = readColorCurve(reader, *value, "color", here);
  key.tolerance = requiredCurve(reader, *value, "tolerance", here, 1, 100);
  key.softness = readCurve(reader, *value, "softness", here, ChromaKey{}.softness, 0, 1);
  key.despill = readCurve(reader, *value, "despill", here, ChromaKey{}.despill, 0, 1);
  key.choke = readCurve(reader, *value, "choke", here, ChromaKey{}.choke, 0, 1);
  key.view = static_cast<KeyView>(reader.choice(*value, "view", here, kKeyViews, 0));
  return key;
}

FinishCurves readFinish(JsonReader& reader, const Json& clip, const std::string& path) {
  FinishCurves finish;
  finish.sharpen = readCurve(reader, clip, "sharpen", path, 0, 0, 1);
  finish.grain = readCurve(reader, clip, "grain", path, 0, 0, 1);
  if (const Json* value = reader.object(clip, "vignette", path, false)) {
    const std::string here = path + ".vignette";
    finish.vignette = requiredCurve(reader, *value, "amount", here, 0, 1);
    finish.vignetteSize = readCurve(reader, *value, "size", here, Vignette{}.size, 0, 1);
    finish.vignetteSoftness = readCurve(reader, *value, "softness", here, Vignette{}.softness, 0, 1);
  }
  return finish;
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

std::vector<DropShadowCurves> readShadows(JsonReader& reader, const Json& clip, const std::string& path) {
  std::vector<DropShadowCurves> shadows;
  if (reader.member(clip, "shadows") == nullptr) return shadows;
  const Json* list = reader.array(clip, "shadows", path);
  if (list == nullptr) return shadows;
  if (list->Size() > kMaxDropShadows)
    reader.fail(path + ".shadows", "must have at most " + std::to_string(kMaxDropShadows) + " shadows");
  for (rapidjson::SizeType i = 0; i < list->Size() && !reader.error(); ++i) {
    const Json& value = (*list)[i];
    const std::string here = path + ".shadows." + std::to_string(i);
    shadows.push_back({readColorCurve(reader, value, "color", here),
                       readCurve(reader, value, "blur", here, 0, 0, kMaxBlur),
                       readCurve(reader, value, "x", here, 0, -kMaxShadowOffset, kMaxShadowOffset),
                       readCurve(reader, value, "y", here, 0, -kMaxShadowOffset, kMaxShadowOffset),
                       readCurve(reader, value, "intensity", here, 1, 0, kMaxShadowIntensity)});
  }
  return shadows;
}

Homography readMap(JsonReader& reader, const Json& value, const std::string& path) {
  const Json* list = reader.array(value, "map", path);
  Homography map;
  if (list == nullptr || list->Size() != map.m.size()) {
    reader.fail(path + ".map", "must have 9 numbers");
    return map;
  }
  for (rapidjson::SizeType i = 0; i < list->Size(); ++i) {
    if (!(*list)[i].IsNumber() || !(std::abs((*list)[i].GetDouble()) <= kMaxCoordinate)) {
      reader.fail(path + ".map." + std::to_string(i), "must be a number");
      return {};
    }
    map.m[i] = (*list)[i].GetDouble();
  }
  if (!hasInverse(map)) reader.fail(path + ".map", "must have an inverse");
  return map;
}

std::vector<MapKeyframe> readMaps(JsonReader& reader, const Json& value, const std::string& path) {
  if (reader.member(value, "map") != nullptr) return {{0, readMap(reader, value, path)}};
  if (reader.member(value, "maps") == nullptr) return {};
  const Json* list = reader.array(value, "maps", path);
  std::vector<MapKeyframe> maps;
  for (rapidjson::SizeType i = 0; list != nullptr && i < list->Size() && !reader.error(); ++i) {
    const std::string here = path + ".maps." + std::to_string(i);
    const Json& one = (*list)[i];
    if (!one.IsObject()) {
      reader.fail(here, "must be an object");
      break;
    }
    const double frame = reader.number(one, "frame", here, -static_cast<double>(kMaxFrames), kMaxFrames);
    if (!maps.empty() && frame <= maps.back().frame)
      reader.fail(here + ".frame", "must be greater than that of the map before");
    maps.push_back({frame, readMap(reader, one, here)});
  }
  return maps;
}

std::optional<Perspective> readPerspective(JsonReader& reader, const Json& clip, const std::string& path) {
  const Json* value = reader.object(clip, "perspective", path, false);
  if (value == nullptr) return std::nullopt;
  const std::string here = path + ".perspective";
  Perspective perspective;
  perspective.scale = reader.number(*value, "scale", here, 0.01, 8, 1);
  perspective.x = readCurve(reader, *value, "x", here, 0, -kMaxCoordinate, kMaxCoordinate);
  perspective.y = readCurve(reader, *value, "y", here, 0, -kMaxCoordinate, kMaxCoordinate);
  perspective.distance = readCurve(reader, *value, "distance", here, 1000, 1, kMaxCoordinate);
  perspective.rotateX = readCurve(reader, *value, "rotateX", here, 0, -1e9, 1e9);
  perspective.rotateY = readCurve(reader, *value, "rotateY", here, 0, -1e9, 1e9);
  perspective.maps = readMaps(reader, *value, here);
  return perspective;
}

}  // namespace

ClipEffects readEffects(JsonReader& reader, const Json& clip, const std::string& path) {
  ClipEffects effects;
  effects.correction = readCorrection(reader, clip, path);
  effects.chromaKey = readChromaKey(reader, clip, path);
  effects.finish = readFinish(reader, clip, path);
  effects.cornerRadius = readCurve(reader, clip, "cornerRadius", path, 0, 0, kMaxCoordinate);
  effects.mask = readMask(reader, clip, path);
  effects.blur = readCurve(reader, clip, "blur", path, 0, 0, kMaxBlur);
  effects.reveal = readReveal(reader, clip, path);
  effects.perspective = readPerspective(reader, clip, path);
  effects.shadows = readShadows(reader, clip, path);
  effects.motionBlur = readCurve(reader, clip, "motionBlur", path, 0, 0, 1);
  effects.blend = static_cast<BlendMode>(reader.choice(clip, "blend", path, kBlendModes, 0));
  return effects;
}

}  // namespace framewright
