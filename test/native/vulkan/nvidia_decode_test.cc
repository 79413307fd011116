#include "vulkan/decoded_clip.h"

// Frames that NVDEC decodes stay on the card of the compositor.
TEST_SUITE_BEGIN("nvidia");

namespace framewright {

using namespace decoded_clip;

TEST_CASE("frames that NVDEC decodes stay on the card, and the segment has the same bytes") {
  if (!hasCardFiles()) return;
  const Timeline timeline = movie(clip());
  const std::string expected = expectedOf(timeline);
  const Substitute card;
  const Rendered drawn = render(timeline);
  CHECK(drawn.video.backend == "nvdec");
  CHECK(drawn.video.transfers.interop == "cuda");
  CHECK(drawn.video.transfers.reason == "");
  CHECK(drawn.deviceCopies == kFrames);
  CHECK(drawn.hostCopies == 0);
  CHECK(drawn.bytes == expected);
}

TEST_CASE("frames of every codec, size and siting stay on the card as they are") {
  if (!hasCardFiles()) return;
  const std::string odd = "-f lavfi -i testsrc2=s=321x195:r=30:d=2 -pix_fmt yuv420p ";
  const std::pair<const char*, std::string> clips[] = {
      {"centred.mp4", kSource + kColors + kCoded + " -chroma_sample_location center"},
      {"odd.webm", odd + kColors + "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 30"},
      {"hevc.mp4", kSource + kColors + "-c:v libx265 -preset ultrafast -x265-params log-level=none"}};
  for (const auto& [name, options] : clips) {
    CAPTURE(std::string(name));
    const Timeline timeline = movie(fixture::media(name, options));
    const std::string expected = expectedOf(timeline);
    const Substitute card;
    const Rendered drawn = render(timeline);
    CAPTURE(drawn.video.transfers.reason);
    CHECK(drawn.video.transfers.interop == "cuda");
    CHECK(drawn.hostCopies == 0);
    CHECK(drawn.bytes == expected);
  }
}

TEST_CASE("frames on the card are those of the CPU in every order of access") {
  if (!hasCardFiles()) return;
  const Substitute card;
  SoftwareDevice software(false);
  const auto compositor = software.compositor();
  auto video =
      VideoDecoder::open(clip(), 1, never, {.mode = HardwareDecode::kOn, .target = targetOf(*compositor)});
  auto plain = VideoDecoder::open(clip(), 1, never);
  REQUIRE((video.ok() && plain.ok()));
  std::vector<ImagePtr> used;  // while others are decoded
  std::vector<std::vector<uint8_t>> expected;
  for (const int64_t timeUs :
       {0, 33'334, 66'667, 1'500'000, 1'533'334, 400'000, 433'334, 100'000, 1'966'667}) {
    const auto decoded = video.value()->frameAt(timeUs), same = plain.value()->frameAt(timeUs);
    REQUIRE((decoded.ok() && same.ok()));
    REQUIRE(decoded.value()->decodedFrame() != nullptr);
    CHECK(decoded.value()->siting == same.value()->siting);
    used.push_back(decoded.value());
    expected.push_back(samplesOf(*same.value()));
  }
  for (size_t i = 0; i < used.size(); ++i) CHECK(samplesOf(*downloadImage(used[i]).take()) == expected[i]);
}

TEST_CASE("canvases of 10 bits are drawn from decoded frames of 8 and 10 bits on the card") {
  if (!hasCardFiles()) return;
  const std::string deep = "-c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p10le ";
  const std::string light =
      "-colorspace bt2020nc -color_primaries bt2020 -color_trc smpte2084 -color_range tv ";
  struct Case {
    std::string clip;
    CanvasTransfer transfer;
    bool isDrawnByCpu;
  };
  const Case cases[] = {{clip(), CanvasTransfer::kSdr, false},
                        {fixture::media("deep.mp4", kSource + kColors + deep), CanvasTransfer::kSdr, false},
                        {fixture::media("deep.mp4", kSource + kColors + deep), CanvasTransfer::kSdr, true},
                        {fixture::media("light.mp4", kSource + light + deep), CanvasTransfer::kPq, false}};
  for (const auto& [path, transfer, isDrawnByCpu] : cases) {
    CAPTURE(path);
    Timeline timeline = movie(path);
    timeline.encode.encoder = "libx265";
    timeline.encode.bitDepth = 10;
    timeline.encode.color.transfer = transfer;
    if (isDrawnByCpu) timeline.sections[0].clips[0].effects.finish.sharpen = {0.5, {}};
    const std::string expected = expectedOf(timeline);
    const Substitute card;
    const Rendered drawn = render(timeline);
    CAPTURE(drawn.video.transfers.reason);
    CHECK(drawn.video.backend == "nvdec");
    CHECK(drawn.video.transfers.interop == "cuda");
    CHECK(drawn.deviceCopies == kFrames);
    CHECK(drawn.hostCopies == (isDrawnByCpu ? kFrames : 0));
    CHECK(drawn.bytes == expected);
  }
}

TEST_CASE("frames of 10 bits pass through main memory for canvases of 8 bits, and SDR for those of HDR") {
  if (!hasCardFiles()) return;
  const std::string deep = "-c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p10le ";
  Timeline plain = movie(fixture::media("deep.mp4", kSource + kColors + deep));
  Timeline light = movie(clip());
  light.encode.encoder = "libx265";
  light.encode.bitDepth = 10;
  light.encode.color.transfer = CanvasTransfer::kHlg;
  for (const Timeline& timeline : {plain, light}) {
    const std::string expected = expectedOf(timeline);
    const Substitute card;
    const Rendered drawn = render(timeline);
    CHECK(drawn.video.backend == "nvdec");
    CHECK(drawn.video.transfers.reason == "its frames are converted on the CPU");
    CHECK(drawn.deviceCopies == 0);
    CHECK(drawn.hostCopies == kFrames);
    CHECK(drawn.bytes == expected);
  }
}

TEST_CASE("decoded frames pass through main memory where interop is off") {
  if (!hasCardFiles()) return;
  Timeline timeline = movie(clip());
  const std::string expected = expectedOf(timeline);
  timeline.interop = InteropMode::kOff;
  const Substitute card;
  const Rendered drawn = render(timeline);
  CHECK(drawn.video.backend == "nvdec");
  CHECK(drawn.video.transfers.interop == "");
  CHECK(drawn.deviceCopies == 0);
  CHECK(drawn.hostCopies == kFrames);
  CHECK(drawn.bytes == expected);
}

TEST_CASE("frames that are converted on the CPU pass through main memory") {
  if (!hasCardFiles()) return;
  const std::pair<const char*, std::string> clips[] = {
      {"untagged.mp4", kSource + kCoded},
      {"full.mp4",
       "-f lavfi -i testsrc2=s=322x194:r=30:d=2 -vf scale=out_range=full -pix_fmt yuvj420p "
       "-colorspace bt709 -color_primaries bt709 -color_trc bt709 " +
           kCoded},
      {"turned.mp4", "-i " + clip() + " -c copy -metadata:s:v:0 rotate=90"}};
  for (const auto& [name, options] : clips) {
    CAPTURE(std::string(name));
    const Timeline timeline = movie(fixture::media(name, options));
    const std::string expected = expectedOf(timeline);
    const Substitute card;
    const Rendered drawn = render(timeline);
    CHECK(drawn.video.backend == "nvdec");
    CHECK(drawn.bytes == expected);
    CHECK(drawn.hostCopies >= kFrames - 3);
    CHECK(drawn.video.transfers.reason == "its frames are converted on the CPU");
  }
}

TEST_CASE("frames that the CPU blends are downloaded once each") {
  if (!hasCardFiles()) return;
  Timeline timeline = movie(clip());
  timeline.sections[0].clips[0].media.speed = 0.4;
  timeline.sections[0].clips[0].media.blendsFrames = true;
  const std::string expected = expectedOf(timeline);
  const Substitute card;
  const Rendered drawn = render(timeline);
  CHECK(drawn.video.transfers.interop == "cuda");
  CHECK(drawn.deviceCopies > 20);
  CHECK(drawn.hostCopies > 0);
  CHECK(drawn.hostCopies <= drawn.deviceCopies);
  CHECK(drawn.bytes == expected);
}

TEST_CASE("a segment continues a clip whose last frames were on the card") {
  if (!hasCardFiles()) return;
  const Timeline timeline = movie(clip());
  const std::string first = fixture::path("first.nut"), second = fixture::path("second.nut");
  const auto framesOf = [&](const Timeline& each) {
    REQUIRE(renderSegment(each, {0, 25}, first, {}, never).ok());
    const auto rest = renderSegment(each, {25, kFrames}, second, {}, never);
    REQUIRE(rest.ok());
    if (!rest.value().videos.empty()) {
      const FrameTransfers& transfers = rest.value().videos[0].transfers;
      CHECK(transfers.interop == "cuda");
      CHECK(transfers.copies->device <= kFrames - 25);  // its own
    }
    return fixture::framesOf(first) + fixture::framesOf(second);
  };
  Timeline software = timeline;
  software.hardwareDecode = HardwareDecode::kOff;
  const std::string expected = framesOf(software);
  const Substitute card;
  CHECK(framesOf(timeline) == expected);
}

TEST_CASE("the probe finds wrong samples, and a card that is not the compositor's") {
  SoftwareDevice software;
  const auto compositor = software.compositor();
  const auto target = targetOf(*compositor);
  const Substitute card;
  const auto device = kNvdecBackend.open("0");
  REQUIRE(device.ok());
  const DecodeFormat format{AV_CODEC_ID_H264, 8};
  const auto probed = probeDecodeInterop(device.value(), format, {target, "0", "key"}, never);
  REQUIRE(probed.ok());
  CHECK(probed.value().reason == "");
  const auto other = probeDecodeInterop(device.value(), format, {target, "1", "key"}, never);
  REQUIRE(other.ok());
  CHECK(other.value().reason == "another card composes");
  const std::pair<const char*, const char*> faults[] = {
      {"ImportExternalMemory:1:999", "cuImportExternalMemory"},
      {"Memcpy2DOnDevice:9:700", "cuMemcpy2DAsync"},
      {"StreamSynchronize:30:700", "CUDA_ERROR_ILLEGAL_ADDRESS"}};
  for (const auto& [fault, reason] : faults) {
    const Substitute broken("fault=" + std::string(fault));
    const auto failed = probeDecodeInterop(device.value(), format, {target, "0", "key"}, never);
    REQUIRE(failed.ok());
    CAPTURE(failed.value().reason);
    CHECK(failed.value().reason.find(reason) != std::string::npos);
  }
  const Substitute wrong("lose-copies=1");
  const auto lost = probeDecodeInterop(device.value(), format, {target, "0", "key"}, never);
  REQUIRE(lost.ok());
  CHECK(lost.value().reason == "the compositor's device reads other samples");
  INFO(software.firstMessage());
  CHECK(software.messages.empty());
}

TEST_CASE("a compositor on another device downloads decoded frames, each once") {
  if (!hasCardFiles()) return;
  const Substitute card;
  SoftwareDevice first(false), second(false);
  const auto compositor = first.compositor(), other = second.compositor();
  const auto target = targetOf(*compositor);
  auto video = VideoDecoder::open(clip(), 1, never, {.mode = HardwareDecode::kOn, .target = target});
  auto plain = VideoDecoder::open(clip(), 1, never);
  REQUIRE((video.ok() && plain.ok()));
  const auto frame = video.value()->frameAt(500'000), same = plain.value()->frameAt(500'000);
  REQUIRE((frame.ok() && same.ok()));
  REQUIRE(frame.value()->decodedFrame() != nullptr);
  const auto copies = video.value()->report().transfers.copies;
  REQUIRE(other->prepareVideoFrame(frame.value(), 0, 0).ok());
  REQUIRE(other->prepareVideoFrame(frame.value(), 0, 0).ok());
  CHECK(copies->host == 1);
  CHECK(samplesOf(*downloadImage(frame.value()).take()) == samplesOf(*same.value()));
  // A decoder that is put aside has no frames on the card, and goes on with the same ones.
  REQUIRE(video.value()->setTarget(nullptr).ok());
  const auto shown = video.value()->frameAt(500'000);
  REQUIRE(shown.ok());
  CHECK(shown.value()->decodedFrame() == nullptr);
  CHECK(samplesOf(*shown.value()) == samplesOf(*same.value()));
  REQUIRE(video.value()->setTarget(targetOf(*other)).ok());
  const auto later = video.value()->frameAt(700'000);
  REQUIRE(later.ok());
  REQUIRE(later.value()->decodedFrame() != nullptr);
  CHECK(samplesOf(*downloadImage(later.value()).take()) ==
        samplesOf(*plain.value()->frameAt(700'000).take()));
}

TEST_SUITE_END();

}  // namespace framewright
