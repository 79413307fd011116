#include "vulkan/decoded_clip.h"

// Calls that fail, and devices that are lost, while decoded frames are on the card.
TEST_SUITE_BEGIN("nvidia");

namespace framewright {

using namespace decoded_clip;

TEST_CASE("each call for decoded frames that fails leaves them in main memory, with its name") {
  if (!hasCardFiles()) return;
  const Timeline timeline = movie(clip());
  const std::string expected = expectedOf(timeline);
  const std::pair<const char*, const char*> faults[] = {
      {"ImportExternalMemory:1:999", "cuImportExternalMemory: CUDA_ERROR_UNKNOWN"},
      {"ExternalMemoryGetMappedBuffer:1:2", "cuExternalMemoryGetMappedBuffer: CUDA_ERROR_OUT_OF_MEMORY"},
      {"Memcpy2DOnDevice:1:700", "cuMemcpy2DAsync: CUDA_ERROR_ILLEGAL_ADDRESS"},
      {"ImportExternalMemory:4:999", "cuImportExternalMemory: CUDA_ERROR_UNKNOWN"},
      {"Memcpy2DOnDevice:61:700", "cuMemcpy2DAsync: CUDA_ERROR_ILLEGAL_ADDRESS"},
      {"Memcpy2DOnDevice:90:2", "cuMemcpy2DAsync: CUDA_ERROR_OUT_OF_MEMORY"}};
  for (const auto& [fault, reason] : faults) {
    CAPTURE(std::string(fault));
    {
      const Substitute card("");
      forgetFailures();
      REQUIRE(render(timeline).bytes == expected);  // all other probes are done
    }
    const Substitute card("fault=" + std::string(fault));
    const Rendered drawn = render(timeline);
    CHECK(drawn.video.backend == "nvdec");
    CHECK(drawn.video.transfers.reason.find(reason) != std::string::npos);
    CHECK(drawn.hostCopies > 0);
    CHECK(drawn.hostCopies + drawn.deviceCopies == kFrames);
    CHECK(drawn.bytes == expected);
  }
  forgetFailures();
}

TEST_CASE("a card that fails altogether while its frames are in use costs no frame") {
  if (!hasCardFiles()) return;
  int number = 0;
  for (const char* const fault : {"Memcpy2D:40:700", "StreamSynchronize:30:700", "MapVideoFrame:20:700"}) {
    CAPTURE(std::string(fault));
    const Timeline timeline = movie(clip(++number));
    const std::string expected = expectedOf(timeline);
    {
      const Substitute card("");
      forgetFailures();
      const Rendered before = render(timeline);
      REQUIRE(before.video.transfers.interop == "cuda");
      REQUIRE(before.bytes == expected);
    }
    const Substitute card("fault=" + std::string(fault));
    const Rendered drawn = render(timeline);
    CHECK(drawn.video.backend == "software");
    CHECK(drawn.deviceCopies > 0);
    CHECK(drawn.bytes == expected);
  }
  forgetFailures();
}

TEST_CASE("frames on a device that is lost are drawn by the CPU, and later ones by any compositor") {
  if (!hasCardFiles()) return;
  const std::string path = clip();
  const Substitute card;
  for (const char* const fault : {"QueueSubmit:5:-4", "WaitForFences:4:-4", "AllocateMemory:2:-2"}) {
    CAPTURE(std::string(fault));
    SoftwareDevice software(false);
    const auto compositor = createFallbackCompositor(software.compositor(), "A card");
    const auto cpu = createCpuCompositor();
    const auto target = targetOf(*compositor);
    auto video = VideoDecoder::open(path, 1, never, {.mode = HardwareDecode::kOn, .target = target});
    auto plain = VideoDecoder::open(path, 1, never);
    REQUIRE((video.ok() && plain.ok()));
    for (int i = 0; i < 12; ++i) {
      if (i == 2) setenv("VULKAN_SUBSTITUTE", ("fault=" + std::string(fault)).c_str(), 1);
      const auto decoded = video.value()->frameAt(i * 33'334), same = plain.value()->frameAt(i * 33'334);
      REQUIRE((decoded.ok() && same.ok()));
      CHECK((decoded.value()->decodedFrame() != nullptr || i > 2));
      const PreparedImagePtr onDevice = compositor->prepareVideoFrame(decoded.value(), 0, 0).take(),
                             onHost = cpu->prepareVideoFrame(same.value(), 0, 0).take();
      DrawList list;
      list.layers.push_back(imageLayer(0, {3, 2, 150, 90}));
      const auto drawn = makeImage(PixelFormat::kI420, 160, 96),
                 expected = makeImage(PixelFormat::kI420, 160, 96);
      const Status composed = compositor->compose(list, {&onDevice, 1}, *drawn);
      INFO((composed.ok() ? "" : composed.error().message + composed.error().detail));
      REQUIRE(composed.ok());
      REQUIRE(cpu->compose(list, {&onHost, 1}, *expected).ok());
      CHECK(largestDifference(*drawn, *expected) <= 2);
    }
    unsetenv("VULKAN_SUBSTITUTE");
    CHECK(compositor->deviceFailure().starts_with("A card: "));
    CHECK_FALSE(target->hasLostFrame);
    forgetFailures();
  }
}

TEST_SUITE_END();

}  // namespace framewright
