#include "timeline/parse_output_file.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "timeline/json_reader.h"

namespace framewright {
namespace {

constexpr size_t kMaxOutputs = 32;
constexpr size_t kMaxSegments = 100000;
constexpr int64_t kMaxOutputSide = 8192;
constexpr int64_t kMaxRateTerm = 1'000'000;
constexpr double kMaxOutputFps = 240;

// In the order of the enums OutputFormat, OutputCodec and OutputAudioCodec.
constexpr std::string_view kOutputFormats[] = {"webm", "mov", "mp4",  "gif",        "webp",
                                               "apng", "png", "jpeg", "webp-still", "avif",
                                               "mp3",  "m4a", "opus", "flac",       "wav"};
constexpr std::string_view kOutputCodecs[] = {"vp9", "av1", "h264", "hevc", "prores-422", "prores-4444"};
constexpr std::string_view kOutputAudioCodecs[] = {"aac", "opus", "mp3", "flac", "pcm"};

bool holdsVideo(OutputFormat format, OutputCodec codec) {
  using Codec = OutputCodec;
  if (format == OutputFormat::kWebm) return codec == Codec::kVp9 || codec == Codec::kAv1;
  if (format == OutputFormat::kMp4)
    return codec == Codec::kAv1 || codec == Codec::kH264 || codec == Codec::kHevc;
  return codec != Codec::kVp9 && codec != Codec::kAv1;
}

bool holdsAudio(OutputFormat format, OutputAudioCodec codec) {
  using Codec = OutputAudioCodec;
  switch (format) {
    case OutputFormat::kWebm:
    case OutputFormat::kOpus:
      return codec == Codec::kOpus;
    case OutputFormat::kMov:
      return codec == Codec::kAac || codec == Codec::kPcm;
    case OutputFormat::kMp4:
    case OutputFormat::kM4a:
      return codec == Codec::kAac;
    case OutputFormat::kMp3:
      return codec == Codec::kMp3;
    case OutputFormat::kFlac:
      return codec == Codec::kFlac;
    case OutputFormat::kWav:
      return codec == Codec::kPcm;
    default:
      return false;
  }
}

bool holdsAlpha(const OutputFile& file) {
  if (isVideoFormat(file.format))
    return file.codec == OutputCodec::kVp9 || file.codec == OutputCodec::kProRes4444;
  return isAnimationFormat(file.format) || file.format == OutputFormat::kPng ||
         file.format == OutputFormat::kWebpStill;
}

// What a file has unless it says otherwise.
struct CanvasDefaults {
  int width = 0, height = 0;
  Rational fps{30, 1};
  int64_t frames = 0;
};

// Reads one file; `here` is its JSON path.
class OutputFileReader {
 public:
  OutputFileReader(JsonReader& reader, const Json& file, const CanvasDefaults& canvas, std::string here)
      : reader_(reader), json_(file), canvas_(canvas), here_(std::move(here)) {}

  OutputFile read() {
    file_.path = reader_.string(json_, "path", here_);
    if (!file_.path.starts_with('/')) reader_.fail(here_ + ".path", "must be an absolute path");
    file_.format = static_cast<OutputFormat>(reader_.choice(json_, "format", here_, kOutputFormats));
    file_.hasAlpha = reader_.boolean(json_, "alpha", here_);
    readFragments();
    readRange();
    if (!isAudioFormat(file_.format)) readVideo();
    readAudio();
    return file_;
  }

 private:
  void readRange() {
    file_.canvasFps = canvas_.fps;
    file_.first = reader_.integer(json_, "first", here_, 0, canvas_.frames - 1, 0);
    file_.isSequence = reader_.boolean(json_, "sequence", here_);
    if (file_.isSequence && (!isStillFormat(file_.format) || file_.format == OutputFormat::kAvif))
      reader_.fail(here_ + ".sequence", "is only for png, jpeg and webp-still");
    const bool isStill = isStillFormat(file_.format) && !file_.isSequence;
    file_.end = reader_.integer(json_, "end", here_, file_.first + 1, canvas_.frames,
                                isStill ? file_.first + 1 : canvas_.frames);
    if (isStill && file_.end != file_.first + 1)
      reader_.fail(here_ + ".end", "must be first + 1 for a still image");
    file_.fps = canvas_.fps;
    if (const Json* rate = reader_.object(json_, "fps", here_, false)) {
      file_.fps = {reader_.integer(*rate, "num", here_ + ".fps", 1, kMaxRateTerm),
                   reader_.integer(*rate, "den", here_ + ".fps", 1, kMaxRateTerm)};
      if (static_cast<double>(file_.fps.num) > kMaxOutputFps * static_cast<double>(file_.fps.den))
        reader_.fail(here_ + ".fps", "must be at most 240 frames per second");
    }
  }

  void readFragments() {
    file_.timestampOffset = reader_.number(json_, "timestampOffset", here_, 0, 60, 0);
    if (reader_.member(json_, "fragmentSeconds") == nullptr) return;
    file_.fragmentSeconds = reader_.number(json_, "fragmentSeconds", here_, 0.1, 60);
    if (file_.format != OutputFormat::kMp4 && file_.format != OutputFormat::kM4a)
      reader_.fail(here_ + ".fragmentSeconds", "is only for mp4 and m4a");
  }

  void readBitDepth() {
    file_.bitDepth = static_cast<int>(reader_.integer(json_, "bitDepth", here_, 8, 10, 8));
    const bool isTransparentVp9 = file_.codec == OutputCodec::kVp9 && file_.hasAlpha;
    const bool canHave10 =
        isVideoFormat(file_.format) && file_.codec != OutputCodec::kH264 && !isTransparentVp9;
    if (file_.bitDepth == 9 || (file_.bitDepth == 10 && !canHave10))
      reader_.fail(here_ + ".bitDepth", "must be 8, or 10 with hevc, av1, prores and vp9 without alpha");
  }

  void readColor() {
    file_.color = readCanvasColor(reader_, json_, here_);
    if (!file_.color.isHdr()) return;
    if (file_.bitDepth != 10) reader_.fail(here_ + ".hdr", "needs a bitDepth of 10");
    if (file_.hasAlpha) reader_.fail(here_ + ".hdr", "is not for files with alpha");
  }

  void readVideo() {
    file_.width = static_cast<int>(reader_.integer(json_, "width", here_, 1, kMaxOutputSide, canvas_.width));
    file_.height =
        static_cast<int>(reader_.integer(json_, "height", here_, 1, kMaxOutputSide, canvas_.height));
    if (reader_.member(json_, "codec") != nullptr && !isVideoFormat(file_.format))
      reader_.fail(here_ + ".codec", "is only for webm, mov and mp4");
    if (isVideoFormat(file_.format)) {
      file_.codec = static_cast<OutputCodec>(
          reader_.choice(json_, "codec", here_, kOutputCodecs, static_cast<size_t>(videoCodecOf(file_))));
      if (!holdsVideo(file_.format, *file_.codec)) reader_.fail(here_ + ".codec", "does not fit the format");
      if (file_.width % 2 != 0 || file_.height % 2 != 0)
        reader_.fail(here_, "needs an even width and height for video");
    }
    if (file_.hasAlpha && !holdsAlpha(file_))
      reader_.fail(here_ + ".alpha", "must be false: the format has no alpha");
    if (reader_.member(json_, "matte") != nullptr) readMatte();
    if (reader_.member(json_, "crf") != nullptr) file_.crf = reader_.number(json_, "crf", here_, 0, 63);
    file_.bitrate = reader_.integer(json_, "bitrate", here_, 1000, int64_t{1} << 31, 0);
    file_.maxBitrate = reader_.integer(json_, "maxBitrate", here_, 1000, int64_t{1} << 31, 0);
    if (file_.maxBitrate > 0 && !isVideoFormat(file_.format))
      reader_.fail(here_ + ".maxBitrate", "is only for webm, mov and mp4");
    readBitDepth();
    readColor();
    file_.maxBytes = reader_.integer(json_, "maxBytes", here_, 1, int64_t{1} << 40, 0);
    if (file_.maxBytes > 0 && file_.isSequence) reader_.fail(here_ + ".maxBytes", "is not for a sequence");
    if (file_.maxBytes > 0 && !isAnimationFormat(file_.format) && file_.format != OutputFormat::kJpeg)
      reader_.fail(here_ + ".maxBytes", "is only for gif, webp, apng and jpeg");
  }

  void readMatte() {
    const std::string text = reader_.string(json_, "matte", here_);
    const bool isHex = text.size() == 7 && text[0] == '#' &&
                       text.find_first_not_of("0123456789abcdef", 1) == std::string::npos;
    if (!isHex) return reader_.fail(here_ + ".matte", "must be a color like #rrggbb");
    const auto byte = [&](size_t at) {
      return static_cast<uint8_t>(std::stoi(text.substr(at, 2), nullptr, 16));
    };
    file_.matte = {byte(1), byte(3), byte(5), 255};
  }

  void readAudio() {
    const Json* json = reader_.object(json_, "audio", here_, isAudioFormat(file_.format));
    if (json == nullptr) return;
    const std::string here = here_ + ".audio";
    OutputAudio audio;
    audio.path = reader_.string(*json, "path", here);
    audio.codec = static_cast<OutputAudioCodec>(reader_.choice(*json, "codec", here, kOutputAudioCodecs));
    audio.bitrate = static_cast<int>(reader_.integer(*json, "bitrate", here, 6000, 512000, 0));
    audio.channels = static_cast<int>(reader_.integer(*json, "channels", here, 1, 2, 2));
    if (!holdsAudio(file_.format, audio.codec)) reader_.fail(here + ".codec", "does not fit the format");
    file_.audio = audio;
  }

  JsonReader& reader_;
  const Json& json_;
  const CanvasDefaults canvas_;
  const std::string here_;
  OutputFile file_;
};

OutputSegment readSegment(JsonReader& reader, const Json& json, const Timeline& timeline,
                          const std::string& here) {
  OutputSegment segment;
  segment.path = reader.string(json, "path", here);
  if (!segment.path.starts_with('/')) reader.fail(here + ".path", "must be an absolute path");
  segment.first = reader.integer(json, "first", here, 0, timeline.frames - 1);
  segment.end = reader.integer(json, "end", here, segment.first + 1, timeline.frames);
  segment.width = static_cast<int>(reader.integer(json, "width", here, 2, kMaxOutputSide, timeline.width));
  segment.height = static_cast<int>(reader.integer(json, "height", here, 2, kMaxOutputSide, timeline.height));
  if (segment.width % 2 != 0 || segment.height % 2 != 0) reader.fail(here, "needs an even width and height");
  segment.encode = timeline.encode;
  if (const Json* encode = reader.object(json, "encode", here, false))
    segment.encode = readEncodeSettings(reader, *encode, here + ".encode");
  return segment;
}

// Whether both ranges are equal or have no frame in common.
bool areAligned(const OutputSegment& a, const OutputSegment& b) {
  return a.end <= b.first || b.end <= a.first || (a.first == b.first && a.end == b.end);
}

}  // namespace

Result<std::vector<OutputFile>> parseOutputFiles(std::string_view json, const Timeline& timeline) {
  JsonReader reader;
  rapidjson::Document outputs;
  outputs.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  std::vector<OutputFile> files;
  if (outputs.HasParseError() || !outputs.IsArray() || outputs.Size() > kMaxOutputs)
    return invalidTimeline("outputs", "must be an array of at most 32 files");
  for (const Json& output : outputs.GetArray()) {
    const std::string here = "outputs[" + std::to_string(files.size()) + "]";
    if (!output.IsObject()) return invalidTimeline(here, "must be an object");
    const CanvasDefaults canvas{timeline.width, timeline.height, timeline.fps, timeline.frames};
    files.push_back(OutputFileReader(reader, output, canvas, here).read());
    const bool isTaken = std::any_of(files.begin(), std::prev(files.end()),
                                     [&](const OutputFile& file) { return file.path == files.back().path; });
    if (isTaken) reader.fail(here + ".path", "must differ from those of the other outputs");
  }
  if (reader.error()) return *reader.error();
  return files;
}

Result<OutputFile> parseStitchedFile(std::string_view json) {
  JsonReader reader;
  rapidjson::Document file;
  file.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (file.HasParseError() || !file.IsObject()) return invalidTimeline("file", "must be an object");
  OutputFile stitched = OutputFileReader(reader, file, {.frames = INT32_MAX}, "file").read();
  if (!isVideoFormat(stitched.format)) reader.fail("file.format", "must be mp4, mov or webm");
  if (reader.error()) return *reader.error();
  stitched.canvasFps = stitched.fps;
  return stitched;
}

Result<std::vector<OutputSegment>> parseOutputSegments(std::string_view json, const Timeline& timeline) {
  JsonReader reader;
  rapidjson::Document list;
  list.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (list.HasParseError() || !list.IsArray() || list.Size() > kMaxSegments)
    return invalidTimeline("segments", "must be an array of at most 100000 segments");
  std::vector<OutputSegment> segments;
  for (const Json& value : list.GetArray()) {
    const std::string here = "segments[" + std::to_string(segments.size()) + "]";
    if (!value.IsObject()) return invalidTimeline(here, "must be an object");
    segments.push_back(readSegment(reader, value, timeline, here));
  }
  if (reader.error()) return *reader.error();
  std::vector<const OutputSegment*> ordered;
  for (const OutputSegment& segment : segments) ordered.push_back(&segment);
  std::ranges::sort(ordered, {}, [](const OutputSegment* segment) { return segment->first; });
  const auto overlap = std::ranges::adjacent_find(
      ordered, [](const auto* one, const auto* next) { return !areAligned(*one, *next); });
  if (overlap != ordered.end())
    return invalidTimeline("segments", "must have equal ranges where they overlap");
  return segments;
}

}  // namespace framewright
