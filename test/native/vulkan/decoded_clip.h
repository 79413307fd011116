#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "compositor/compose_testing.h"
#include "compositor/vulkan/select_device.h"
#include "core/decoded_frame.h"
#include "devices/probe_cache.h"
#include "libav/decode/video_decoder.h"
#include "libav/hardware/decode/decode_device.h"
#include "libav/hardware/decode/decode_interop_probe.h"
#include "render/clip_movie.h"
#include "vulkan/software_device.h"

// A clip that a substitute driver decodes (test/substitute-driver) for the software Vulkan device that draws
// it.
namespace framewright::decoded_clip {

inline const CancelToken never;
inline constexpr int kFrames = 60;

// NVIDIA's driver, whose first card is the software Vulkan device.
class Substitute {
 public:
  // Copies happen as late as CUDA allows.
  explicit Substitute(const std::string& settings = "delay=1") {
    setenv("CUDA_SUBSTITUTE", ("cards=5,other-model=4," + settings).c_str(), 1);
  }
  ~Substitute() { unsetenv("CUDA_SUBSTITUTE"); }
  Substitute(const Substitute&) = delete;
  Substitute& operator=(const Substitute&) = delete;
};

inline const std::string kSource = "-f lavfi -i testsrc2=s=322x194:r=30:d=2 -pix_fmt yuv420p ";
inline const std::string kColors =
    "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv ";
inline const std::string kCoded = "-c:v libx264 -bf 3 -g 30 -preset veryfast";

// A clip of its own for cases after which the device does not decode it any more.
inline std::string clip(int number = 0) {
  return fixture::media("decoded." + std::to_string(number) + ".mp4", kSource + kColors + kCoded);
}

inline Timeline movie(const std::string& path, const Rect& box = {10, 6, 280, 150}) {
  Timeline timeline = fixture::clipMovie("unused.mp4", 320, 180, box, kFrames);
  timeline.sources[0].path = path;
  timeline.compositor = CompositorChoice::kVulkan;
  timeline.encode.encoder = "libx264";
  timeline.encode.preset = "ultrafast";
  timeline.encode.crf = 0;
  timeline.hardwareDecode = HardwareDecode::kOn;
  return timeline;
}

// Results of probes are cached as long as the process.
inline void forgetFailures(const std::string& device = "nvdec 0") {
  ProbeCache& cache = ProbeCache::ofProcess();
  cache.store(formatKey(device, {AV_CODEC_ID_H264, 8}), "");
  SoftwareDevice software(false);
  cache.store(decodeInteropKey(device, software.device->properties().identity), "");
}

// Renders the movie with all frames in main memory, which needs no substitute.
inline std::string expectedOf(Timeline timeline) {
  const std::string path = fixture::path("decoded-expected.nut");
  timeline.interop = InteropMode::kOff;
  timeline.hardwareDecode = HardwareDecode::kOff;
  const auto drawn = fixture::renderWhole(timeline, path);
  INFO((drawn.ok() ? "" : drawn.error().message + " " + drawn.error().detail));
  REQUIRE(drawn.ok());
  const std::vector<uint8_t> bytes = fixture::readFile(path);
  return {bytes.begin(), bytes.end()};
}

struct Rendered {
  std::string bytes;
  DecodeReport video;
  int64_t hostCopies = 0, deviceCopies = 0;
};

inline Rendered render(const Timeline& timeline) {
  const std::string path = fixture::path("decoded.nut");
  const auto drawn = fixture::renderWhole(timeline, path);
  INFO((drawn.ok() ? "" : drawn.error().message + " " + drawn.error().detail));
  REQUIRE(drawn.ok());
  REQUIRE(drawn.value().videos.size() == 1);
  const std::vector<uint8_t> bytes = fixture::readFile(path);
  Rendered rendered{{bytes.begin(), bytes.end()}, drawn.value().videos[0]};
  if (const auto& copies = rendered.video.transfers.copies) {
    rendered.hostCopies = copies->host;
    rendered.deviceCopies = copies->device;
  }
  return rendered;
}

inline bool hasCardFiles() { return DeviceRegistry::ofProcess().nvidiaCount() > 0; }

inline std::shared_ptr<DecodeTarget> targetOf(Compositor& compositor) {
  const auto target = std::make_shared<DecodeTarget>();
  target->device = *compositor.device();
  target->memory = compositor.decodedFrameMemory();
  return target;
}

inline std::vector<uint8_t> samplesOf(const Image& image) {
  std::vector<uint8_t> samples;
  for (int p = 0; p < image.planeCount(); ++p) {
    const Plane& plane = image.plane(p);
    for (int y = 0; y < plane.height; ++y)
      samples.insert(samples.end(), plane.data + y * plane.stride,
                     plane.data + y * plane.stride + plane.width);
  }
  return samples;
}

}  // namespace framewright::decoded_clip
