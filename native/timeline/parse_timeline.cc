#include <cmath>
#include <string>

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include "timeline/json_reader.h"
#include "timeline/parse_effects.h"
#include "timeline/parse_sound_effects.h"
#include "timeline/timeline.h"

namespace framewright {
namespace {

constexpr double kMaxAnchor = 1e4;  // boxes
constexpr size_t kMaxClips = 200000;
constexpr int kMaxGroupDepth = 5;
constexpr double kMaxSkew = 85;  // degrees; at 90 nothing has an area

// In the order of the enums SourceKind, CompositorChoice and HardwareDecode.
constexpr std::string_view kSourceKinds[] = {"image",    "sprite",    "video",      "audio",
                                             "sequence", "animation", "colorTable", "luma"};
constexpr std::string_view kCompositors[] = {"auto", "cpu", "vulkan"};
constexpr std::string_view kDeinterlaceModes[] = {"auto", "on", "off"};
constexpr std::string_view kDecodeModes[] = {"auto", "off", "on"};
constexpr std::string_view kInteropModes[] = {"auto", "off", "copy"};
// In the order of enum WaveformStyle.
constexpr std::string_view kWaveformStyles[] = {"bars", "mirrored", "line", "circle", "spectrum"};

std::optional<Waveform> readWaveform(JsonReader& reader, const Json& clip, const std::string& path) {
  const Json* value = reader.object(clip, "waveform", path, false);
  if (value == nullptr) return std::nullopt;
  const std::string here = path + ".waveform";
  Waveform waveform{readColorCurve(reader, *value, "color", here),
                    requiredCurve(reader, *value, "amplitude", here, 0, 10)};
  waveform.style = static_cast<WaveformStyle>(reader.choice(*value, "style", here, kWaveformStyles, 0));
  return waveform;
}

CropCurves readCrop(JsonReader& reader, const Json& clip, const std::string& path) {
  CropCurves crop;
  const Json* value = reader.object(clip, "crop", path, false);
  if (value == nullptr) return crop;
  const std::string here = path + ".crop";
  crop.x = readCurve(reader, *value, "x", here, 0, -kMaxCoordinate, kMaxCoordinate);
  crop.y = readCurve(reader, *value, "y", here, 0, -kMaxCoordinate, kMaxCoordinate);
  crop.width = readCurve(reader, *value, "width", here, 1, kMinRectSize, kMaxCoordinate);
  crop.height = readCurve(reader, *value, "height", here, 1, kMinRectSize, kMaxCoordinate);
  return crop;
}

// Collects what later parts refer to: sources and clip ids.
class TimelineReader {
 public:
  Result<Timeline> read(const Json& root) {
    if (!root.IsObject()) return invalidTimeline("the root", "must be an object");
    reader_.integer(root, "version", "timeline", 1, 1);
    readCanvas(root);
    readSources(root);
    timeline_.under = readClips(root, "under", "timeline", timeline_.frames);
    readSections(root);
    timeline_.over = readClips(root, "over", "timeline", timeline_.frames);
    readAudio(root);
    readEncode(root);
    readBackends(root);
    if (reader_.error()) return *reader_.error();
    return std::move(timeline_);
  }

 private:
  void readCanvas(const Json& root) {
    const Json* canvas = reader_.object(root, "canvas", "timeline", true);
    if (canvas == nullptr) return;
    timeline_.width = static_cast<int>(reader_.integer(*canvas, "width", "canvas", 2, 8192));
    timeline_.height = static_cast<int>(reader_.integer(*canvas, "height", "canvas", 2, 8192));
    if (timeline_.width % 2 != 0 || timeline_.height % 2 != 0) reader_.fail("canvas", "sides must be even");
    timeline_.frames = reader_.integer(*canvas, "frames", "canvas", 1, kMaxFrames);
    if (const Json* fps = reader_.object(*canvas, "fps", "canvas", true)) {
      timeline_.fps = {reader_.integer(*fps, "num", "canvas.fps", 1, 1000000000),
                       reader_.integer(*fps, "den", "canvas.fps", 1, 1000000000)};
    }
  }

  void readSources(const Json& root) {
    const Json* sources = reader_.array(root, "sources", "timeline");
    if (sources == nullptr) return;
    for (rapidjson::SizeType i = 0; i < sources->Size(); ++i) {
      const std::string path = "sources." + std::to_string(i);
      Source source;
      source.kind = static_cast<SourceKind>(reader_.choice((*sources)[i], "kind", path, kSourceKinds));
      source.path = reader_.string((*sources)[i], "path", path);
      source.label = reader_.string((*sources)[i], "label", path);
      source.deinterlace =
          static_cast<Deinterlace>(reader_.choice((*sources)[i], "deinterlace", path, kDeinterlaceModes, 0));
      timeline_.sources.push_back(std::move(source));
    }
  }

  int readSourceIndex(const Json& value, const std::string& path) {
    const auto last = static_cast<int64_t>(timeline_.sources.size()) - 1;
    if (last < 0) {
      reader_.fail(path + ".source", "refers to a source, but the timeline has none");
      return -1;
    }
    return static_cast<int>(reader_.integer(value, "source", path, 0, last));
  }

  std::vector<Clip> readClips(const Json& parent, const char* name, const std::string& path, int64_t frames,
                              int depth = 0) {
    std::vector<Clip> clips;
    const Json* values = reader_.array(parent, name, path);
    if (values == nullptr) return clips;
    for (rapidjson::SizeType i = 0; i < values->Size() && !reader_.error(); ++i) {
      clips.push_back(readClip((*values)[i], path + "." + name + "." + std::to_string(i), frames, depth));
    }
    return clips;
  }

  Clip readClip(const Json& value, const std::string& path, int64_t containerFrames, int depth = 0) {
    Clip clip;
    clip.id = nextClipId_++;
    if (!value.IsObject() || clip.id >= static_cast<int>(kMaxClips)) {
      reader_.fail(path, value.IsObject() ? "exceeds the maximum number of clips" : "must be an object");
      return clip;
    }
    clip.start = reader_.integer(value, "start", path, 0, containerFrames);
    clip.frames = reader_.integer(value, "frames", path, 1, kMaxFrames);
    readContent(value, path, clip, depth);
    if (const auto box = readRect(reader_, value, "box", path, true)) clip.box = *box;
    clip.crop = readCrop(reader_, value, path);
    clip.window = readRect(reader_, value, "clip", path, false);
    if (const Json* anchor = reader_.object(value, "anchor", path, false)) {
      clip.anchorX = readCurve(reader_, *anchor, "x", path + ".anchor", 0.5, -kMaxAnchor, kMaxAnchor);
      clip.anchorY = readCurve(reader_, *anchor, "y", path + ".anchor", 0.5, -kMaxAnchor, kMaxAnchor);
    }
    readMotion(value, path, clip);
    clip.piece = readPiece(value, path);
    clip.media = readMedia(reader_, value, path, false);
    clip.effects = readEffects(reader_, value, path);
    clip.effects.grade = readGrade(value, path);
    if (clip.effects.mask) {
      clip.effects.mask->id = nextClipId_++;
      clip.effects.mask->source = readMaskSource(value, path);
    }
    return clip;
  }

  void readContent(const Json& value, const std::string& path, Clip& clip, int depth) {
    const bool isFill = reader_.member(value, "fill") != nullptr;
    const bool isImage = reader_.member(value, "source") != nullptr;
    const bool isGroup = reader_.member(value, "clips") != nullptr;
    clip.waveform = readWaveform(reader_, value, path);
    if (isFill + isImage + isGroup + clip.waveform.has_value() != 1) {
      reader_.fail(path, "must have exactly one of source, fill, waveform and clips");
    } else if (isGroup) {
      if (depth == kMaxGroupDepth) {
        reader_.fail(path + ".clips", "exceeds the maximum depth of groups");
      } else {
        clip.clips = readClips(value, "clips", path, clip.frames, depth + 1);
        if (clip.clips.empty()) reader_.fail(path + ".clips", "must have at least one clip");
      }
    } else if (isFill) {
      clip.fill = readColorCurve(reader_, value, "fill", path);
    } else if (isImage) {
      clip.source = readImageSource(value, path);
    }
  }

  int readImageSource(const Json& value, const std::string& path) {
    const int source = readSourceIndex(value, path);
    if (source < 0 || reader_.error()) return source;
    const SourceKind kind = timeline_.sources[source].kind;
    if (kind == SourceKind::kAudio) reader_.fail(path + ".source", "must not be an audio source");
    if (kind == SourceKind::kColorTable) reader_.fail(path + ".source", "must not be a color table");
    if (kind == SourceKind::kLuma) reader_.fail(path + ".source", "must not be the image of a luma wipe");
    return source;
  }

  std::optional<GradeCurve> readGrade(const Json& clip, const std::string& path) {
    const Json* grade = reader_.object(clip, "grade", path, false);
    if (grade == nullptr) return std::nullopt;
    const std::string here = path + ".grade";
    GradeCurve curve;
    const Json* tables = reader_.array(*grade, "tables", here);
    if (tables != nullptr && tables->Empty()) reader_.fail(here + ".tables", "must have at least one table");
    for (rapidjson::SizeType i = 0; tables != nullptr && i < tables->Size() && !reader_.error(); ++i) {
      const std::string at = here + ".tables." + std::to_string(i);
      if (!(*tables)[i].IsObject()) {
        reader_.fail(at, "must be an object");
        break;
      }
      curve.sources.push_back(readSourceIndex((*tables)[i], at));
      if (!reader_.error() && timeline_.sources[curve.sources.back()].kind != SourceKind::kColorTable)
        reader_.fail(at + ".source", "must be a color table");
    }
    const auto last = std::max(0.0, static_cast<double>(curve.sources.size()) - 1);
    curve.position = readCurve(reader_, *grade, "position", here, 0, 0, last);
    return curve;
  }

  int readMaskSource(const Json& clip, const std::string& path) {
    const Json* mask = reader_.object(clip, "mask", path, true);
    return mask == nullptr ? -1 : readImageSource(*mask, path + ".mask");
  }

  void readAnchor(const Json& value, const std::string& path, double& x, double& y) {
    const Json* anchor = reader_.object(value, "anchor", path, false);
    if (anchor == nullptr) return;
    x = reader_.number(*anchor, "x", path + ".anchor", -kMaxAnchor, kMaxAnchor);
    y = reader_.number(*anchor, "y", path + ".anchor", -kMaxAnchor, kMaxAnchor);
  }

  std::optional<PieceMotion> readPiece(const Json& clip, const std::string& path) {
    const Json* value = reader_.object(clip, "piece", path, false);
    if (value == nullptr) return std::nullopt;
    const std::string here = path + ".piece";
    PieceMotion piece;
    readAnchor(*value, here, piece.anchorX, piece.anchorY);
    piece.x = readCurve(reader_, *value, "x", here, 0, -kMaxCoordinate, kMaxCoordinate);
    piece.y = readCurve(reader_, *value, "y", here, 0, -kMaxCoordinate, kMaxCoordinate);
    piece.scaleX = readCurve(reader_, *value, "scaleX", here, 1, 0, 1e4);
    piece.scaleY = readCurve(reader_, *value, "scaleY", here, 1, 0, 1e4);
    piece.rotation = readCurve(reader_, *value, "rotation", here, 0, -1e9, 1e9);
    return piece;
  }

  void readMotion(const Json& value, const std::string& path, Clip& clip) {
    clip.x = readCurve(reader_, value, "x", path, 0, -kMaxCoordinate, kMaxCoordinate);
    clip.y = readCurve(reader_, value, "y", path, 0, -kMaxCoordinate, kMaxCoordinate);
    clip.scale = readCurve(reader_, value, "scale", path, 1, 0, 1e4);
    clip.rotation = readCurve(reader_, value, "rotation", path, 0, -1e9, 1e9);
    clip.skewX = readCurve(reader_, value, "skewX", path, 0, -kMaxSkew, kMaxSkew);
    clip.skewY = readCurve(reader_, value, "skewY", path, 0, -kMaxSkew, kMaxSkew);
    clip.opacity = readCurve(reader_, value, "opacity", path, 1, 0, 1);
    clip.fadeIn = reader_.integer(value, "fadeIn", path, 0, kMaxFrames, 0);
    clip.fadeOut = reader_.integer(value, "fadeOut", path, 0, kMaxFrames, 0);
    clip.flipX = reader_.boolean(value, "flipX", path);
    clip.flipY = reader_.boolean(value, "flipY", path);
  }

  void readSections(const Json& root) {
    const Json* sections = reader_.array(root, "sections", "timeline");
    if (sections == nullptr) return;
    int64_t expected = 0;
    for (rapidjson::SizeType i = 0; i < sections->Size() && !reader_.error(); ++i) {
      const std::string path = "sections." + std::to_string(i);
      Section section = readSection((*sections)[i], path);
      if (section.start != expected) {
        reader_.fail(path + ".start",
                     "must be " + std::to_string(expected) + ", the end of the section before");
      }
      expected = section.start + section.frames;
      if (i == 0 && section.transition)
        reader_.fail(path + ".transition", "must not be on the first section");
      timeline_.sections.push_back(std::move(section));
    }
    if (timeline_.sections.empty()) reader_.fail("sections", "must have at least one section");
    if (expected > timeline_.frames) reader_.fail("sections", "must not be longer than canvas.frames");
  }

  Section readSection(const Json& value, const std::string& path) {
    Section section;
    section.label = reader_.string(value, "label", path);
    section.start = reader_.integer(value, "start", path, 0, kMaxFrames);
    section.frames = reader_.integer(value, "frames", path, 1, kMaxFrames);
    section.background = readColor(reader_, value, "background", path);
    section.clips = readClips(value, "clips", path, section.frames);
    if (const Json* transition = reader_.object(value, "transition", path, false))
      section.transition = readTransition(*transition, path + ".transition", section.frames);
    section.hasNextTransition = reader_.boolean(value, "goesOn", path);
    section.previousTransitionFrames = reader_.integer(value, "ledUntil", path, 0, section.frames, 0);
    return section;
  }

  Transition readTransition(const Json& value, const std::string& path, int64_t frames) {
    Transition transition{reader_.string(value, "style", path),
                          reader_.integer(value, "frames", path, 1, frames)};
    if (reader_.member(value, "progress") != nullptr)
      transition.progress = readCurve(reader_, value, "progress", path, 0, 0, 1);
    const bool isLuma = transition.style == "luma";
    const Json* luma = reader_.object(value, "luma", path, isLuma);
    if (luma == nullptr) return transition;
    const std::string here = path + ".luma";
    if (!isLuma) reader_.fail(here, "is only allowed with the style luma");
    transition.luma = readSourceIndex(*luma, here);
    if (transition.luma >= 0 && !reader_.error() &&
        timeline_.sources[transition.luma].kind != SourceKind::kLuma)
      reader_.fail(here + ".source", "must be of kind luma");
    transition.wipe = {reader_.number(*luma, "softness", here, 0, 1, LumaWipe{}.softness),
                       reader_.boolean(*luma, "invert", here)};
    return transition;
  }

  void readAudio(const Json& root) {
    const Json* clips = reader_.array(root, "audio", "timeline");
    if (clips == nullptr) return;
    for (rapidjson::SizeType i = 0; i < clips->Size() && !reader_.error(); ++i) {
      const Json& value = (*clips)[i];
      const std::string path = "audio." + std::to_string(i);
      AudioClip clip;
      clip.source = readSourceIndex(value, path);
      clip.start = reader_.integer(value, "start", path, 0, kMaxFrames);
      clip.frames = reader_.integer(value, "frames", path, 1, kMaxFrames);
      clip.gain = readCurve(reader_, value, "gain", path, 1, 0, 10);
      clip.fadeIn = reader_.integer(value, "fadeIn", path, 0, kMaxFrames, 0);
      clip.fadeOut = reader_.integer(value, "fadeOut", path, 0, kMaxFrames, 0);
      clip.media = readMedia(reader_, value, path, true);
      readSoundEffects(reader_, value, path, clip);
      timeline_.audio.push_back(std::move(clip));
    }
  }

  void readEncode(const Json& root) {
    const Json* encode = reader_.object(root, "encode", "timeline", true);
    if (encode == nullptr) return;
    timeline_.encode = readEncodeSettings(reader_, *encode, "encode");
    readMastering(root);
  }

  void readMastering(const Json& root) {
    if (reader_.member(root, "mastering") == nullptr) return;
    const Json* numbers = reader_.array(root, "mastering", "timeline");
    if (numbers == nullptr) return;
    MasteringDisplay::Values values{};
    constexpr int64_t kMaxPoint = MasteringDisplay::kChromaticityUnit,
                      kMaxLight = 10000 * MasteringDisplay::kLightUnit;
    const auto isValid = [&](rapidjson::SizeType i) {
      const Json& number = (*numbers)[i];
      return number.IsInt64() && number.GetInt64() >= 0 &&
             number.GetInt64() <= (i < 8 ? kMaxPoint : kMaxLight);
    };
    bool areValid = numbers->Size() == values.size();
    for (rapidjson::SizeType i = 0; areValid && i < numbers->Size(); ++i) {
      areValid = isValid(i);
      values[i] = areValid ? (*numbers)[i].GetInt64() : 0;
    }
    if (!areValid) return reader_.fail("timeline.mastering", "must be ten numbers of a display");
    timeline_.mastering = MasteringDisplay::of(values);
  }

  void readBackends(const Json& root) {
    timeline_.compositor =
        static_cast<CompositorChoice>(reader_.choice(root, "compositor", "timeline", kCompositors, 0));
    timeline_.interop =
        static_cast<InteropMode>(reader_.choice(root, "handover", "timeline", kInteropModes, 0));
    timeline_.hardwareDecode =
        static_cast<HardwareDecode>(reader_.choice(root, "hardwareDecode", "timeline", kDecodeModes, 0));
    timeline_.isDithered = reader_.boolean(root, "dither", "timeline");
  }

  JsonReader reader_;
  Timeline timeline_;
  int nextClipId_ = 0;
};

}  // namespace

Result<Timeline> parseTimeline(std::string_view json) {
  rapidjson::Document document;
  // Iterative, so that hostile nesting cannot exhaust the stack.
  document.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (document.HasParseError()) {
    return Error{ErrorCode::INVALID_TIMELINE, "The timeline is not valid JSON.",
                 std::string(rapidjson::GetParseError_En(document.GetParseError())) + " at byte " +
                     std::to_string(document.GetErrorOffset())};
  }
  return TimelineReader().read(document);
}

}  // namespace framewright
