#include "render/outputs/render_outputs.h"
#include "vulkan/decoded_clip.h"

// Frames that VAAPI decodes and the software Vulkan device draws as a card: its DMA-BUFs, by the substitute
// layer and the substitute for a VAAPI driver (test/substitute-driver).
TEST_SUITE_BEGIN("card");

namespace framewright {

using namespace decoded_clip;

namespace {

const std::string kDevice = "vaapi /dev/dri/renderD128";

class SimulatedCard {
 public:
  explicit SimulatedCard(const std::string& vaapi = "", const std::string& vulkan = "",
                         bool isDiscrete = true) {
    setenv("VULKAN_SUBSTITUTE", ((isDiscrete ? "discrete=1,dma-buf=1," : "dma-buf=1,") + vulkan).c_str(), 1);
    setenv("VAAPI_SUBSTITUTE", ("vulkan-import=1," + vaapi).c_str(), 1);
  }
  ~SimulatedCard() {
    unsetenv("VULKAN_SUBSTITUTE");
    unsetenv("VAAPI_SUBSTITUTE");
  }
  SimulatedCard(const SimulatedCard&) = delete;
  SimulatedCard& operator=(const SimulatedCard&) = delete;
};

std::string expectedBytes() {
  const SimulatedCard card;
  return expectedOf(movie(clip()));
}

struct Outputs {
  std::string bytes;
  RenderedOutputs rendered;
};

// Writes a GIF of the movie, which is not encoded in segments.
Outputs renderGif(const Timeline& timeline) {
  OutputFile file;
  file.path = fixture::path("decoded.gif");
  file.format = OutputFormat::kGif;
  file.width = 160;
  file.height = 90;
  file.fps = {10, 1};
  file.canvasFps = timeline.fps;
  file.end = timeline.frames;
  auto rendered = renderOutputs(timeline, {file}, {}, {}, never);
  INFO((rendered.ok() ? "" : rendered.error().message + " " + rendered.error().detail));
  REQUIRE(rendered.ok());
  REQUIRE(rendered.value().compositions.size() == 1);
  const std::vector<uint8_t> bytes = fixture::readFile(file.path);
  return {{bytes.begin(), bytes.end()}, rendered.take()};
}

void forgetCardFailures() {
  const SimulatedCard card("", "", false);
  decoded_clip::forgetFailures(kDevice);
}

}  // namespace

TEST_CASE("surfaces that VAAPI decodes are drawn where they are, and the segment has the same bytes") {
  const std::string expected = expectedBytes();
  const SimulatedCard card;
  const Rendered drawn = render(movie(clip()));
  CHECK(drawn.video.backend == "vaapi");
  CHECK(drawn.video.transfers.interop == "vaapi");
  CHECK(drawn.video.transfers.reason == "");
  CHECK(drawn.hostCopies == 0);
  CHECK(drawn.deviceCopies == 0);
  CHECK(drawn.bytes == expected);
}

TEST_CASE("surfaces of 10 bits are drawn where they are on canvases of 10 bits") {
  Timeline timeline = movie(clip());
  timeline.sources[0].path = fixture::media(
      "vaapi-deep.mp4",
      "-f lavfi -i testsrc2=s=322x194:r=30:d=2 -pix_fmt yuv420p10le -colorspace bt709 -color_primaries bt709 "
      "-color_trc bt709 -color_range tv -c:v libx265 -preset ultrafast -x265-params log-level=none");
  timeline.encode.encoder = "libx265";
  timeline.encode.bitDepth = 10;
  const SimulatedCard card;
  const std::string expected = expectedOf(timeline);
  const Rendered drawn = render(timeline);
  CHECK(drawn.video.backend == "vaapi");
  CAPTURE(drawn.video.transfers.reason);
  CHECK(drawn.video.transfers.interop == "vaapi");
  CHECK(drawn.hostCopies == 0);
  CHECK(drawn.bytes == expected);
}

TEST_CASE("the compositor's device reads the samples of VAAPI's surfaces") {
  const SimulatedCard card("", "", false);
  SoftwareDevice software;
  const auto device = kVaapiDecodeBackend.open("/dev/dri/renderD128");
  REQUIRE(device.ok());
  const auto target = std::make_shared<DecodeTarget>();
  target->device = software.device->properties().identity;
  target->memory = software.compositor()->decodedFrameMemory();
  const auto probed = probeDecodeInterop(device.value(), {AV_CODEC_ID_H264, 8},
                                         {target, "/dev/dri/renderD128", "key"}, CancelToken());
  REQUIRE(probed.ok());
  CHECK(probed.value().reason == "");
  INFO(software.firstMessage());
  CHECK(software.messages.empty());
}

TEST_CASE("VAAPI surfaces that cannot be imported pass through main memory, with the reason") {
  const std::string expected = expectedBytes();
  struct Case {
    std::string vaapi, vulkan, reason;
  };
  const Case cases[] = {{"tiled=1", "", "its surfaces are not linear (modifier 0x1)"},
                        {"fault=ExportSurfaceHandle:1:14", "", "the driver cannot export a decoded surface"},
                        {"fault=ExportSurfaceHandle:9:2", "", "the driver cannot export a decoded surface"},
                        {"", "fault=GetMemoryFdPropertiesKHR:1:-1000072003", "vkGetMemoryFdPropertiesKHR"},
                        {"", "fault=ImportMemory:1:-1000072003", "vkAllocateMemory"},
                        {"", "fault=ImportMemory:30:-2", "vkAllocateMemory: VK_ERROR_OUT_OF_DEVICE_MEMORY"}};
  for (const auto& [vaapi, vulkan, reason] : cases) {
    CAPTURE(vaapi);
    CAPTURE(vulkan);
    forgetCardFailures();
    const SimulatedCard card(vaapi, vulkan);
    const Rendered drawn = render(movie(clip()));
    CHECK(drawn.video.backend == "vaapi");
    CAPTURE(drawn.video.transfers.reason);
    CHECK(drawn.video.transfers.reason.find(reason) != std::string::npos);
    CHECK(drawn.hostCopies > 0);
    CHECK(drawn.bytes == expected);
  }
  forgetCardFailures();
}

TEST_CASE("a VAAPI device that fails while its surfaces are in use costs no frame") {
  const std::string expected = expectedBytes();
  int number = 0;
  for (const char* const fault : {"SyncSurface:20:1", "EndPicture:30:1"}) {
    CAPTURE(std::string(fault));
    forgetCardFailures();
    const SimulatedCard card("fault=" + std::string(fault));
    const Rendered drawn = render(movie(clip(++number)));
    CHECK(drawn.video.backend == "software");
    CHECK(drawn.bytes == expected);
  }
  forgetCardFailures();
}

TEST_CASE("frames that are lost with the device cost a second run of the segment through main memory") {
  Timeline timeline = movie(clip(3));
  timeline.compositor = CompositorChoice::kCpu;
  const std::string expected = expectedOf(timeline);
  forgetCardFailures();
  timeline.compositor = CompositorChoice::kAuto;
  {
    const SimulatedCard card;
    CHECK(render(timeline).video.transfers.interop == "vaapi");
  }
  // The first two frames are compared with their downloads; the next download is that of a frame in use.
  const SimulatedCard card("fault=MapBuffer:3:1", "fault=QueueSubmit:10:-1");
  const Rendered drawn = render(timeline);
  CHECK(drawn.video.backend == "software");
  CHECK(drawn.bytes == expected);
  forgetCardFailures();
}

TEST_CASE("outputs without segments draw surfaces where they are, and are written again if one is lost") {
  Timeline timeline = movie(clip(4));
  forgetCardFailures();
  const SimulatedCard card;
  timeline.hardwareDecode = HardwareDecode::kOff;
  const std::string expected = renderGif(timeline).bytes;
  timeline.hardwareDecode = HardwareDecode::kOn;
  timeline.compositor = CompositorChoice::kAuto;
  {
    const Outputs drawn = renderGif(timeline);
    CHECK(drawn.bytes == expected);
    REQUIRE(drawn.rendered.compositions[0].videos.size() == 1);
    const FrameTransfers& transfers = drawn.rendered.compositions[0].videos[0].transfers;
    CAPTURE(transfers.reason);
    CHECK(transfers.interop == "vaapi");
    CHECK(transfers.copies->host == 0);
  }
  timeline.compositor = CompositorChoice::kCpu;
  timeline.hardwareDecode = HardwareDecode::kOff;
  const std::string drawnByCpu = renderGif(timeline).bytes;
  timeline.compositor = CompositorChoice::kAuto;
  timeline.hardwareDecode = HardwareDecode::kOn;
  const SimulatedCard failing("fault=MapBuffer:3:1", "fault=QueueSubmit:10:-1");
  const Outputs again = renderGif(timeline);
  CHECK(again.bytes == drawnByCpu);
  REQUIRE(again.rendered.compositions[0].videos.size() == 1);
  CHECK(again.rendered.compositions[0].videos[0].backend == "software");
  forgetCardFailures();
}

TEST_SUITE_END();

}  // namespace framewright
