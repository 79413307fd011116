#include "timeline/json_reader.h"

namespace framewright {
namespace {

constexpr double kMaxSeconds = 1e7;
constexpr double kMinSpeed = 0.1, kMaxSpeed = 20;

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

Keyframe readKeyframe(JsonReader& reader, const Json& value, const std::string& path, double low,
                      double high) {
  Keyframe keyframe;
  if (!value.IsObject()) {
    reader.fail(path, "must be an object");
    return keyframe;
  }
  keyframe.frame = reader.number(value, "frame", path, -static_cast<double>(kMaxFrames), kMaxFrames);
  keyframe.value = reader.number(value, "value", path, low, high);
  keyframe.easing = static_cast<Easing>(reader.choice(value, "easing", path, kEasingNames, 0));
  return keyframe;
}

// The member `speed` of a media range, a number or pieces.
SpeedCurve readSpeed(JsonReader& reader, const Json& parent, const std::string& path) {
  const Json* value = reader.member(parent, "speed");
  if (value == nullptr || !value->IsArray())
    return {reader.number(parent, "speed", path, kMinSpeed, kMaxSpeed, 1)};
  const std::string here = path + ".speed";
  std::vector<SpeedCurve::Piece> pieces;
  for (rapidjson::SizeType i = 0; i < value->Size(); ++i) {
    const std::string at = here + "." + std::to_string(i);
    const Json& piece = (*value)[i];
    if (!piece.IsObject()) reader.fail(at, "must be an object");
    const double from = reader.number(piece, "from", at, 0, kMaxSpeed);
    pieces.push_back({reader.number(piece, "time", at, 0, kMaxSeconds), from,
                      reader.number(piece, "to", at, 0, kMaxSpeed, from)});
    const bool isOrdered = i == 0 ? pieces[0].time == 0 : pieces[i].time > pieces[i - 1].time;
    if (!isOrdered)
      reader.fail(at + ".time", i == 0 ? "must be 0" : "must be greater than that of the piece before");
  }
  if (!pieces.empty()) return SpeedCurve(std::move(pieces));
  reader.fail(here, "must have at least one piece");
  return {};
}

}  // namespace

Error invalidTimeline(const std::string& path, const std::string& what) {
  return Error{ErrorCode::INVALID_TIMELINE, "The timeline is invalid at " + path + ": " + what + ".", ""};
}

Color readColor(JsonReader& reader, const Json& parent, const char* name, const std::string& path) {
  const std::string text = reader.string(parent, name, path);
  int bytes[4] = {0, 0, 0, 0};
  bool good = text.size() == 9 && text[0] == '#';
  for (int i = 0; good && i < 4; ++i) {
    const int high = hexDigit(text[1 + 2 * i]);
    const int low = hexDigit(text[2 + 2 * i]);
    good = high >= 0 && low >= 0;
    bytes[i] = high * 16 + low;
  }
  if (!good) {
    reader.fail(path + "." + name, "must be a colour like #rrggbbaa");
    return {};
  }
  return {static_cast<uint8_t>(bytes[0]), static_cast<uint8_t>(bytes[1]), static_cast<uint8_t>(bytes[2]),
          static_cast<uint8_t>(bytes[3])};
}

std::optional<Rect> readRect(JsonReader& reader, const Json& parent, const char* name,
                             const std::string& path, bool required) {
  const Json* value = reader.object(parent, name, path, required);
  if (value == nullptr) return std::nullopt;
  const std::string here = path + "." + name;
  return Rect{reader.number(*value, "x", here, -kMaxCoordinate, kMaxCoordinate),
              reader.number(*value, "y", here, -kMaxCoordinate, kMaxCoordinate),
              reader.number(*value, "width", here, kMinRectSize, kMaxCoordinate),
              reader.number(*value, "height", here, kMinRectSize, kMaxCoordinate)};
}

Curve readCurve(JsonReader& reader, const Json& parent, const char* name, const std::string& path,
                double fallback, double low, double high) {
  Curve curve{fallback, {}};
  const Json* value = reader.member(parent, name);
  if (value == nullptr) return curve;
  if (!value->IsArray()) {
    curve.constant = reader.number(parent, name, path, low, high);
    return curve;
  }
  const std::string here = path + "." + name;
  if (value->Empty()) reader.fail(here, "must have at least one keyframe");
  curve.keyframes.reserve(value->Size());
  for (rapidjson::SizeType i = 0; i < value->Size(); ++i) {
    curve.keyframes.push_back(readKeyframe(reader, (*value)[i], here + "." + std::to_string(i), low, high));
    if (i > 0 && curve.keyframes[i].frame <= curve.keyframes[i - 1].frame) {
      reader.fail(here + "." + std::to_string(i) + ".frame",
                  "must be greater than that of the keyframe before");
    }
  }
  return curve;
}

Curve requiredCurve(JsonReader& reader, const Json& parent, const char* name, const std::string& path,
                    double low, double high) {
  if (reader.member(parent, name) == nullptr) reader.fail(path + "." + name, "must be a number or keyframes");
  return readCurve(reader, parent, name, path, low, low, high);
}

namespace {

// Presets with the same headers as `veryfast`, given one reference frame.
constexpr std::string_view kFootagePresets[] = {"faster", "fast", "medium", "slow", "slower"};

std::optional<std::string> readFootagePreset(JsonReader& reader, const Json& encode,
                                             const EncodeSettings& settings, const std::string& path) {
  constexpr const char* kName = "footagePreset";
  if (reader.member(encode, kName) == nullptr) return std::nullopt;
  const bool hasOneReference = settings.preset == "superfast" || settings.preset == "veryfast";
  if (settings.encoder != "libx264" || !hasOneReference)
    reader.fail(path + "." + kName, "applies only to libx264 at the presets superfast and veryfast");
  return std::string(kFootagePresets[reader.choice(encode, kName, path, kFootagePresets)]);
}

void readPrecision(JsonReader& reader, const Json& encode, EncodeSettings& settings,
                   const std::string& path) {
  settings.bitDepth = static_cast<int>(reader.integer(encode, "bitDepth", path, 8, 10, 8));
  const bool canBeDeep =
      settings.encoder == "libx265" || settings.encoder == "libsvtav1" || settings.encoder == "libvpx-vp9";
  if (settings.bitDepth == 9 || (settings.bitDepth == 10 && !canBeDeep))
    reader.fail(path + ".bitDepth", "must be 8, or 10 with libx265, libsvtav1 and libvpx-vp9");
  settings.color = readCanvasColor(reader, encode, path);
  const bool isPlain = settings.color == CanvasColor{};
  if (settings.bitDepth == 8 && !isPlain) reader.fail(path, "needs a bitDepth of 10 for hdr and linear");
}

}  // namespace

CanvasColor readCanvasColor(JsonReader& reader, const Json& parent, const std::string& path) {
  static constexpr std::string_view kTransfers[] = {"sdr", "hlg", "pq"};
  CanvasColor color;
  color.isLinear = reader.boolean(parent, "linear", path);
  color.transfer = static_cast<CanvasTransfer>(reader.choice(parent, "hdr", path, kTransfers, 0));
  if (color.isLinear && color.isHdr()) reader.fail(path + ".linear", "is not for HDR");
  return color;
}

EncodeSettings readEncodeSettings(JsonReader& reader, const Json& encode, const std::string& path) {
  EncodeSettings settings;
  settings.encoder = reader.string(encode, "encoder", path);
  settings.preset = reader.string(encode, "preset", path);
  settings.footagePreset = readFootagePreset(reader, encode, settings, path);
  settings.crf = reader.number(encode, "crf", path, 0, 63);
  if (reader.member(encode, "variant") != nullptr)
    settings.variant = static_cast<int>(reader.integer(encode, "variant", path, 0, 9));
  settings.keyframeSeconds = reader.number(encode, "keyframeSeconds", path, 0.01, 3600);
  settings.audioBitrate = static_cast<int>(reader.integer(encode, "audioBitrate", path, 32000, 512000));
  settings.stillKeyframeSeconds =
      reader.number(encode, "stillKeyframeSeconds", path, 0, 3600, settings.stillKeyframeSeconds);
  settings.copy = reader.boolean(encode, "copy", path);
  settings.copyColors = reader.boolean(encode, "copyColors", path);
  if (reader.member(encode, "loudness") != nullptr)
    settings.loudness = reader.number(encode, "loudness", path, -70, 0);
  readPrecision(reader, encode, settings, path);
  return settings;
}

ColorCurve readColorCurve(JsonReader& reader, const Json& parent, const char* name, const std::string& path) {
  const Json* value = reader.member(parent, name);
  if (value == nullptr || !value->IsObject()) return readColor(reader, parent, name, path);
  const std::string here = path + "." + name;
  constexpr double kMaxChroma = 1;
  // Easings may overshoot white and black.
  return ColorCurve({readCurve(reader, *value, "l", here, 0, -1, 2),
                     readCurve(reader, *value, "a", here, 0, -kMaxChroma, kMaxChroma),
                     readCurve(reader, *value, "b", here, 0, -kMaxChroma, kMaxChroma),
                     readCurve(reader, *value, "alpha", here, 1, 0, 1)});
}

MediaRange readMedia(JsonReader& reader, const Json& parent, const std::string& path, bool required) {
  MediaRange media;
  const Json* value = reader.object(parent, "media", path, required);
  if (value == nullptr) return media;
  const std::string here = path + ".media";
  media.in = reader.number(*value, "in", here, 0, kMaxSeconds);
  if (reader.member(*value, "out") != nullptr) {
    media.out = reader.number(*value, "out", here, 0, kMaxSeconds);
    if (*media.out <= media.in) reader.fail(here + ".out", "must be after in");
  }
  media.loops = static_cast<int>(reader.integer(*value, "loops", here, -1, 1000000, 1));
  if (media.loops == 0) reader.fail(here + ".loops", "must not be 0");
  media.speed = readSpeed(reader, *value, here);
  if (reader.member(*value, "keepsPitch") != nullptr)
    media.keepsPitch = reader.boolean(*value, "keepsPitch", here);
  media.isReversed = reader.boolean(*value, "reverse", here);
  media.blendsFrames = reader.boolean(*value, "blendFrames", here);
  return media;
}

}  // namespace framewright
