#include <map>

#include <doctest/doctest.h>

#include "libav/codec_policy.h"
#include "libav/decode/video_decoder.h"
#include "libav/hardware/decode/choose_decoder.h"
#include "libav/hardware/decode/decode_backend.h"
#include "libav/hardware/decode/decode_probe.h"
#include "libav/hardware/decode/decoder_probes.h"
#include "libav/hardware/decode/probe_clip.h"
#include "libav/media_fixture.h"
#include "libav/simulated_decode_device.h"
#include "render/render.h"

namespace framewright {
namespace {

const DecodeOptions kOn{HardwareDecode::kOn, 0};

std::unique_ptr<VideoDecoder> open(const std::string& path, const DecodeOptions& wish) {
  auto video = VideoDecoder::open(path, 2, never, wish);
  INFO((video.ok() ? "" : video.error().message));
  REQUIRE(video.ok());
  return video.take();
}

// Contents of a frame, and whether it equals the previous one.
struct Seen {
  std::vector<uint8_t> samples;
  bool isSame = false;
  ChromaSiting siting = ChromaSiting::kLeft;
  std::string error;

  bool operator==(const Seen&) const = default;
};

std::vector<Seen> watch(VideoDecoder& video, const std::vector<int64_t>& timesUs) {
  std::vector<Seen> all;
  ImagePtr last;
  for (const int64_t timeUs : timesUs) {
    const auto frame = video.frameAt(timeUs);
    if (!frame.ok()) {
      all.push_back({{}, false, ChromaSiting::kLeft, frame.error().message});
      continue;
    }
    const Image& image = *frame.value();
    Seen seen{{}, frame.value() == last, image.siting, ""};
    for (int p = 0; p < image.planeCount(); ++p) {
      const Plane& plane = image.plane(p);
      const int bytes = plane.width * (image.format() == PixelFormat::kRgbaStraight ? 4 : 1);
      for (int y = 0; y < plane.height; ++y)
        seen.samples.insert(seen.samples.end(), plane.data + y * plane.stride,
                            plane.data + y * plane.stride + bytes);
    }
    last = frame.value();
    all.push_back(std::move(seen));
  }
  return all;
}

std::vector<int64_t> forwards(int count, int64_t stepUs = 40'000) {
  std::vector<int64_t> times;
  for (int i = 0; i < count; ++i) times.push_back(i * stepUs);
  return times;
}

// Forwards, backwards, far ahead, past the end.
std::vector<int64_t> jumping() {
  std::vector<int64_t> times = forwards(12);
  for (const int64_t us : {3'900'000, 200'000, 240'000, 4'400'000, 4'440'000, 2'000'000, 9'000'000})
    times.push_back(us);
  return times;
}

const char* const kTexture =
    "-f lavfi -i testsrc2=s=%SIZE%:r=25:d=5 -pix_fmt yuv420p -colorspace bt709 -color_range tv ";

std::string video(const std::string& name, const std::string& encode, std::string size = "160x120") {
  std::string arguments = kTexture;
  arguments.replace(arguments.find("%SIZE%"), 6, size);
  return fixture::media(name, arguments + encode);
}

std::string plain() { return video("decode.mp4", "-c:v libx264 -bf 3 -g 50 -preset veryfast"); }

bool seesTheSame(const std::string& path, const std::vector<int64_t>& times) {
  const auto alone = open(path, {}), withCard = open(path, kOn);
  CHECK(alone->report().backend.empty());
  return watch(*alone, times) == watch(*withCard, times);
}

}  // namespace

TEST_CASE("hardware decoding returns the CPU's frames for every video and every order of access") {
  Card card(Manner::kWorks);
  const std::string videos[] = {
      plain(),
      video("decode.hevc.mp4",
            "-c:v libx265 -x265-params log-level=none:bframes=3 -preset ultrafast -tag:v hvc1"),
      video("decode.odd.mkv", "-c:v libx264 -preset veryfast -vf crop=157:119:0:0", "160x120"),
      video("decode.full.mp4",
            "-c:v libx264 -preset veryfast -color_range pc -vf scale=out_range=pc -pix_fmt yuvj420p"),
      video("decode.601.mkv", "-c:v libx264 -preset veryfast -colorspace smpte170m"),
      // Cropped on the left and top by the stream headers.
      video("decode.cut.mp4", "-c:v libx264 -preset veryfast -bsf:v h264_metadata=crop_left=10:crop_top=6"),
      fixture::media("decode.turned.mp4", "-i " + plain() + " -c copy -metadata:s:v:0 rotate=90"),
      video("decode.vp9.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8"),
      video("decode.deep.hevc.mp4",
            "-c:v libx265 -x265-params log-level=none:bframes=3 -preset ultrafast "
            "-tag:v hvc1 -pix_fmt yuv420p10le"),
      video("decode.deep.vp9.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuv420p10le"),
  };
  for (const std::string& path : videos) {
    INFO(path);
    // Full range has another format name on the CPU and the same on devices; the simulated one uses the
    // former.
    surfaceFormat = path.find(".full.") != std::string::npos   ? AV_PIX_FMT_YUVJ420P
                    : path.find(".deep.") != std::string::npos ? AV_PIX_FMT_YUV420P10LE
                                                               : AV_PIX_FMT_YUV420P;
    const auto alone = open(path, {}), withCard = open(path, kOn);
    CHECK(withCard->report().reason == "");
    CHECK(withCard->report().backend == "stand-in");
    const int before = brought;
    for (const auto& times : {forwards(130), jumping()})
      CHECK(watch(*alone, times) == watch(*withCard, times));
    CHECK(brought - before > 130);
    CHECK(withCard->report().backend == "stand-in");
  }
  surfaceFormat = AV_PIX_FMT_YUV420P;
}

TEST_CASE("a device is probed once per codec and per video, with a limit of decoders") {
  Card card(Manner::kWorks);
  auto first = open(plain(), kOn);
  const int once = brought;
  CHECK(opened == 1);
  CHECK(once > 24);
  const auto second = open(plain(), kOn), third = open(plain(), kOn), fourth = open(plain(), kOn);
  CHECK(opened == 1);
  CHECK(brought == once);
  auto fifth = open(plain(), kOn);
  CHECK(fifth->report().backend == "software");
  CHECK(fifth->report().reason.find("all its decoder sessions are in use") != std::string::npos);
  first.reset();
  CHECK(open(plain(), kOn)->report().backend == "stand-in");
}

TEST_CASE("surfaces are released before others are decoded") {
  Card card(Manner::kWorks);
  CHECK(seesTheSame(plain(), forwards(125)));
  // At most the surfaces that the CPU decoder retains for this video, and the transferred one.
  CHECK(maxSurfaces <= 12);
  CHECK(surfaces <= 12);
}

TEST_CASE("a device with wrong frames is rejected with a reason") {
  const std::pair<Manner, const char*> cases[] = {
      {Manner::kDoesNotOpen, "no driver (says a test)"},
      {Manner::kIsLeftOut, "libav does not decode this video with it"},
      {Manner::kSwapsChroma, "the frames differ from those of the software decoder"},
      {Manner::kShiftsRows, "the frames differ from those of the software decoder"},
      {Manner::kShowsOldFrames, "the frames differ from those of the software decoder"},
      {Manner::kFailsInVideos, "the frames differ from those of the software decoder"}};
  for (const auto& [how, reason] : cases) {
    Card card(how);
    CHECK(seesTheSame(plain(), forwards(60)));
    const std::string expected = "stand-in " + std::to_string(number) + ": " + reason;
    CHECK(open(plain(), kOn)->report().reason == expected);
    CHECK(open(plain(), kOn)->report().backend == "software");
    CHECK(opened <= 3);
  }
}

TEST_CASE("a device that fails during decoding is replaced without a change of frames and not used again") {
  for (const auto& times : {forwards(130), forwards(300, 15'000), jumping()}) {
    Card card(Manner::kWorks);
    const auto expected = watch(*open(plain(), {}), times);
    for (const int after : {0, 7, 12, 60}) {
      card.replace(Manner::kWorks);
      const auto withCard = open(plain(), kOn);
      REQUIRE(withCard->report().backend == "stand-in");
      manner = Manner::kBreaksLater;
      framesLeft = after;
      INFO(after);
      CHECK(watch(*withCard, times) == expected);
      if (framesLeft >= 0) continue;  // frames beyond the requested ones
      CHECK(withCard->report().backend == "software");
      CHECK(withCard->report().reason.find("failed: a frame cannot be downloaded") != std::string::npos);
      manner = Manner::kWorks;
      CHECK(open(plain(), kOn)->report().backend == "software");
    }
  }
}

TEST_CASE("exhausted surfaces, damaged files and changing formats fall back to the CPU") {
  Card card(Manner::kWorks);
  const auto tight = open(plain(), kOn);
  room = 3;
  CHECK(watch(*tight, forwards(60)) == watch(*open(plain(), {}), forwards(60)));
  CHECK(tight->report().backend == "software");

  card.replace(Manner::kWorks);
  std::vector<uint8_t> bytes = fixture::readFile(
      video("decode.front.mp4", "-c:v libx264 -bf 3 -g 50 -preset veryfast -movflags +faststart"));
  bytes.resize(bytes.size() * 7 / 10 + 3);
  const std::string cut = fixture::path("decode.short.mp4");
  fixture::writeFile(cut, bytes);
  CHECK(seesTheSame(cut, forwards(125)));
  for (size_t i = bytes.size() / 2; i < bytes.size() / 2 + 900; ++i) bytes[i] ^= 0x5a;
  const std::string damaged = fixture::path("decode.damaged.mp4");
  fixture::writeFile(damaged, bytes);
  CHECK(seesTheSame(damaged, forwards(125)));

  card.replace(Manner::kWorks);
  const std::string small = video("decode.small.h264", "-c:v libx264 -preset veryfast -bf 0 -t 2", "160x120");
  const std::string large = video("decode.large.h264", "-c:v libx264 -preset veryfast -bf 0 -t 2", "192x128");
  std::vector<uint8_t> both = fixture::readFile(small);
  for (const uint8_t byte : fixture::readFile(large)) both.push_back(byte);
  fixture::writeFile(fixture::path("decode.both.h264"), both);
  const std::string changing = fixture::media(
      "decode.changing.mkv", "-fflags +genpts -r 25 -i " + fixture::path("decode.both.h264") + " -c copy");
  const auto video = open(changing, kOn);
  CHECK(video->report().backend == "stand-in");
  CHECK(watch(*video, forwards(100)) == watch(*open(changing, {}), forwards(100)));
  CHECK(video->report().reason.find("its frames change in size or format") != std::string::npos);
}

TEST_CASE("only 8-bit videos above a minimum size are probed") {
  Card card(Manner::kWorks);
  const auto tiny = open(plain(), {HardwareDecode::kAuto, 60'000'000});
  CHECK(tiny->report().backend.empty());
  CHECK(opened == 0);
  const std::string deep = video("decode.deep.mp4", "-c:v libx264 -preset veryfast -pix_fmt yuv420p10le");
  CHECK(seesTheSame(deep, forwards(10)));
  CHECK(open(deep, kOn)->report().reason ==
        "hardware decoding supports only 4:2:0 H.264 with 8 bits, and HEVC, VP9 and AV1 with 8 or 10");
  CHECK(opened == 0);
  isRegistered = false;
  CHECK(open(plain(), kOn)->report().backend.empty());
  CHECK(probeDecoders().size() == std::size(kExactFormats) * (decodeBackends().back()->devices().size() +
                                                              kNvdecBackend.devices().size()));
}

TEST_CASE("hardware decoding must be clearly faster without latency") {
  CHECK(slowdownReason({24, {0.004, 0.002}, {0.001, 0.002}}).empty());
  CHECK(slowdownReason({24, {0.004, 0.002}, {0.001, 0.0021}}) ==
        "not worth it: a frame takes 2.10 ms and 1.00 ms of CPU time, in software 2.00 ms and 4.00 ms");
  CHECK(!slowdownReason({24, {0.004, 0.002}, {0.003, 0.001}}).empty());

  Card card(Manner::kIsSlow);
  // Large enough to be probed: thirty seconds of HD.
  const std::string large = fixture::media(
      "decode.hd.mp4",
      "-stream_loop 31 -i " +
          fixture::media("decode.second.mp4",
                         "-f lavfi -i color=gray:s=1920x1080:r=25:d=1 -c:v libx264 -preset ultrafast "
                         "-pix_fmt yuv420p") +
          " -c copy");
  const auto slow = open(large, {HardwareDecode::kAuto, 60'000'000});
  CHECK(slow->report().backend == "software");
  CHECK(slow->report().reason.find("not worth it") != std::string::npos);
  // Without the timing check it is used if its frames are correct.
  CHECK(open(large, kOn)->report().backend == "stand-in");
}

TEST_CASE("devices are probed with a clip of each format") {
  for (const DecodeFormat& format : kExactFormats) {
    INFO(format.name());
    const auto clip = makeProbeClip(format, kProbeWidth, kProbeHeight, 24);
    INFO((clip.ok() ? "" : clip.error().message + " " + clip.error().detail));
    REQUIRE(clip.ok());
    const AVStream& stream = *clip.value().head.stream;
    CHECK(surfaceBits(static_cast<AVPixelFormat>(stream.codecpar->format)) == format.bits);
    auto decoder = openDecoder(stream, 1);
    REQUIRE(decoder.ok());
    const FramePtr frame(av_frame_alloc());
    int frames = 0;
    for (size_t i = 0; i <= clip.value().head.packets.size(); ++i) {
      const auto& packets = clip.value().head.packets;
      REQUIRE(avcodec_send_packet(decoder.value().get(), i < packets.size() ? packets[i].get() : nullptr) ==
              0);
      while (avcodec_receive_frame(decoder.value().get(), frame.get()) == 0) {
        ++frames;
        CHECK(surfaceBits(static_cast<AVPixelFormat>(frame->format)) == format.bits);
      }
    }
    CHECK(frames == 24);
  }
}

TEST_CASE("libav has both backends for all codecs and reports why a device does not open") {
  for (const DecodeFormat& format : kExactFormats) {
    const auto clip = makeProbeClip(format, kProbeWidth, kProbeHeight, 2);
    REQUIRE(clip.ok());
    const AVCodec* const codec = findHardwareDecoder(*clip.value().head.stream);
    REQUIRE(codec != nullptr);
    CHECK(kNvdecBackend.supports(*codec));
    CHECK(kVaapiDecodeBackend.supports(*codec));
  }
  CHECK(!kNvdecBackend.supports(*avcodec_find_decoder(AV_CODEC_ID_PRORES)));
  const auto card = kNvdecBackend.open("99");
  REQUIRE(!card.ok());
  CHECK(card.error().message.find("libav cannot open a CUDA device") == 0);
  CHECK(!card.error().detail.empty());
  const auto node = kVaapiDecodeBackend.open("/dev/dri/renderD190");
  REQUIRE(!node.ok());
  CHECK(node.error().message.find("libav cannot open a VAAPI device") == 0);
}

TEST_CASE("the probe for `doctor` checks each device for each codec") {
  Card card(Manner::kWorks);
  const auto found = probeDecoders(true, kProbeWidth, kProbeHeight);
  REQUIRE(found.size() >= 2);
  CHECK(found[0].name == "stand-in " + std::to_string(number));
  CHECK(found[0].format.name() == "h264");
  CHECK(found[0].reason == "");
  CHECK(found[0].available);
  CHECK(found[0].framesPerSecond > 0);
  CHECK(found[0].softwareFramesPerSecond > 0);
  manner = Manner::kSwapsChroma;
  const auto wrong = probeDecoders();
  CHECK(!wrong[0].available);
  CHECK(wrong[0].reason == "the frames differ from those of the software decoder");
  CHECK(wrong[0].framesPerSecond == 0);
}

TEST_CASE("a segment of hardware-decoded videos equals the CPU's byte for byte") {
  Card card(Manner::kWorks);
  Timeline timeline;
  timeline.width = 200;
  timeline.height = 140;
  timeline.fps = {30, 1};
  timeline.frames = 60;
  timeline.compositor = CompositorChoice::kCpu;
  // Lossless: at other settings x264 may decide differently from run to run.
  timeline.encode.crf = 0;
  timeline.sources.push_back({SourceKind::kVideo, plain(), "scenes.0.elements.0"});
  Section section;
  section.label = "scene_1";
  section.frames = 60;
  Clip clip;
  clip.id = 1;
  clip.source = 0;
  clip.frames = 60;
  clip.box = {10, 10, 180, 120};
  section.clips = {clip};
  timeline.sections = {section};
  const auto render = [&](HardwareDecode mode, const std::string& name) {
    timeline.hardwareDecode = mode;
    const auto metadata = renderSegment(timeline, {0, 60}, fixture::path(name), {}, never);
    INFO((metadata.ok() ? "" : metadata.error().message));
    REQUIRE(metadata.ok());
    return metadata.value();
  };
  CHECK(render(HardwareDecode::kOff, "decode.off.nut").videos.empty());
  const auto expected = fixture::readFile(fixture::path("decode.off.nut"));
  for (const Manner how : {Manner::kWorks, Manner::kSwapsChroma}) {
    card.replace(how);
    const auto metadata = render(HardwareDecode::kOn, "decode.on.nut");
    REQUIRE(metadata.videos.size() == 1);
    CHECK(metadata.videos[0].backend == (how == Manner::kWorks ? "stand-in" : "software"));
    CHECK(fixture::readFile(fixture::path("decode.on.nut")) == expected);
  }
}

}  // namespace framewright
