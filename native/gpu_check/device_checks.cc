#include "gpu_check/device_checks.h"

#include <algorithm>
#include <cmath>

#include <unistd.h>

#include "compositor/deep/deep_compositor.h"
#include "core/stopwatch.h"
#include "gpu_check/energy.h"
#include "gpu_check/frame_difference.h"
#include "gpu_check/random_lists.h"
#include "vulkan/commands.h"

namespace framewright {
namespace {

constexpr int kMaxDifference = 2;
constexpr double kMinSimilarity = 0.999;
constexpr double kMeasureSeconds = 1;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

Result<std::shared_ptr<Image>> testLayer(int width, int height, int index) {
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> image, Image::create(PixelFormat::kRgbaStraight, width, height));
  const Plane& plane = image->plane(0);
  for (int y = 0; y < height; ++y) {
    uint8_t* px = plane.data + y * plane.stride;
    for (int x = 0; x < width; ++x, px += 4) {
      px[0] = static_cast<uint8_t>(x + 40 * index);
      px[1] = static_cast<uint8_t>(y + 70 * index);
      px[2] = static_cast<uint8_t>(x + y);
      px[3] = static_cast<uint8_t>(40 + (x * 3 + y + 11 * index) % 160);
    }
  }
  return image;
}

// Layers over black, all visible.
struct Scene {
  DrawList list;
  std::vector<PreparedImagePtr> images;
};

Result<Scene> createScene(Compositor& compositor, int width, int height, int layers) {
  Scene scene;
  for (int i = 0; i < layers; ++i) {
    FW_ASSIGN_OR_RETURN(const std::shared_ptr<Image> image, testLayer(width, height, i));
    FW_ASSIGN_OR_RETURN(PreparedImagePtr prepared, compositor.prepareStill(*image, 0, 0));
    scene.images.push_back(std::move(prepared));
    Layer layer;
    layer.kind = Layer::Kind::kImage;
    layer.image = i;
    layer.toCanvas = scaling(width, height);
    scene.list.layers.push_back(layer);
    scene.list.images.push_back({i});
  }
  return scene;
}

// Median of `seconds`, called after each frame with the thread's CPU time before it.
template <class Seconds>
Result<double> timeFrames(Compositor& compositor, const Scene& scene, Image& frame, const Seconds& seconds) {
  std::vector<double> times;
  FW_RETURN_IF_ERROR(compositor.compose(scene.list, scene.images, frame));
  const double end = secondsOf(CLOCK_MONOTONIC) + kMeasureSeconds;
  while (times.size() < 3 || secondsOf(CLOCK_MONOTONIC) < end) {
    const double before = secondsOf(CLOCK_THREAD_CPUTIME_ID);
    FW_RETURN_IF_ERROR(compositor.compose(scene.list, scene.images, frame));
    times.push_back(seconds(before));
  }
  return median(std::move(times));
}

// Wall time and energy per frame with as many frames in flight as the compositor supports.
struct PipelinedFrame {
  double seconds = 0, joules = 0;
};
Result<PipelinedFrame> timePipelined(Compositor& compositor, const std::string& pciAddress,
                                     const Scene& scene, int width, int height) {
  std::vector<std::shared_ptr<Image>> frames(static_cast<size_t>(compositor.framesInFlight()));
  for (auto& frame : frames) {
    FW_ASSIGN_OR_RETURN(frame, compositor.createFrame(PixelFormat::kNv12, width, height));
  }
  const double energy = energyUsed(pciAddress), begin = secondsOf(CLOCK_MONOTONIC);
  size_t count = 0;
  for (; count < frames.size() || secondsOf(CLOCK_MONOTONIC) < begin + kMeasureSeconds; ++count) {
    Image& frame = *frames[count % frames.size()];
    if (count >= frames.size()) FW_RETURN_IF_ERROR(compositor.finish(frame));
    FW_RETURN_IF_ERROR(compositor.start(scene.list, scene.images, frame));
  }
  for (const auto& frame : frames) FW_RETURN_IF_ERROR(compositor.finish(*frame));
  const double seconds = secondsOf(CLOCK_MONOTONIC) - begin, joules = energyUsed(pciAddress) - energy;
  return PipelinedFrame{seconds / static_cast<double>(count), joules / static_cast<double>(count)};
}

// Bytes per second, from device memory to `target`.
Result<double> copyRate(std::shared_ptr<vulkan::Device> device, vulkan::MemoryUse target) {
  if (!device->hasTimestamps()) return 0.0;
  const uint64_t bytes =
      std::min<uint64_t>(256 << 20, device->limits().maxStorageBufferRange) & ~uint64_t{63};
  FW_ASSIGN_OR_RETURN(const auto from, vulkan::Buffer::create(device, bytes, vulkan::MemoryUse::kDevice));
  FW_ASSIGN_OR_RETURN(const auto to, vulkan::Buffer::create(device, bytes, target));
  FW_ASSIGN_OR_RETURN(const auto commands, vulkan::Commands::create(device));
  std::vector<double> rates;
  for (int round = 0; round < 10; ++round) {
    FW_RETURN_IF_ERROR(commands->begin());
    if (round == 0) commands->clear(*from);
    commands->barrier();
    commands->stamp();
    commands->copy(*from, 0, *to, 0, bytes);
    commands->stamp();
    FW_RETURN_IF_ERROR(commands->submit());
    FW_RETURN_IF_ERROR(commands->wait());
    FW_ASSIGN_OR_RETURN(const std::vector<double> stamps, commands->stampSeconds());
    if (round > 0 && stamps.back() > 0) rates.push_back(static_cast<double>(bytes) / stamps.back());
  }
  return median(std::move(rates));
}

}  // namespace

Status measureFirstFrame(std::shared_ptr<vulkan::Device> device, OpeningResult& opening) {
  const double begin = secondsOf(CLOCK_MONOTONIC);
  FW_ASSIGN_OR_RETURN(const auto compositor, createVulkanCompositor(std::move(device)));
  FW_ASSIGN_OR_RETURN(const auto frame, compositor->createFrame(PixelFormat::kI420, 1920, 1080));
  FW_ASSIGN_OR_RETURN(const Scene scene, createScene(*compositor, 1920, 1080, 3));
  FW_RETURN_IF_ERROR(compositor->compose(scene.list, scene.images, *frame));
  opening.firstFrame = secondsOf(CLOCK_MONOTONIC) - begin;
  return {};
}

namespace {

// Counts a wrong case in a ParityResult or DeepParityResult, and names the first.
template <typename Parity>
void addFailure(Parity& result, int seed, const std::string& what) {
  if (result.wrong++ == 0) result.firstFailure = "case " + std::to_string(seed) + ": " + what;
}

struct FramePair {
  std::shared_ptr<Image> expected, drawn;
};

// A case as the CPU and a device draw it, in the format of encoders in software or hardware.
Result<FramePair> drawBoth(Compositor& cpu, Compositor& device, const RandomCase& random, int seed) {
  FW_ASSIGN_OR_RETURN(auto expected, drawCase(cpu, random));
  const PixelFormat wanted = seed % 2 == 0 ? PixelFormat::kI420 : PixelFormat::kNv12;
  FW_ASSIGN_OR_RETURN(auto drawn, drawCase(device, random, wanted));
  return FramePair{std::move(expected), std::move(drawn)};
}

}  // namespace

ParityResult checkParity(std::shared_ptr<vulkan::Device> device, int cases) {
  ParityResult result;
  const auto cpu = createCpuCompositor();
  auto created = createVulkanCompositor(std::move(device));
  if (!created.ok()) {
    result.wrong = cases;
    result.firstFailure = created.error().message;
    return result;
  }
  for (int seed = 1; seed <= cases; ++seed) {
    const RandomCase random = randomCase(static_cast<uint64_t>(seed), {});
    ++result.cases;
    const auto frames = drawBoth(*cpu, *created.value(), random, seed);
    if (!frames.ok()) {
      addFailure(result, seed, frames.error().message);
      continue;
    }
    const auto& [expected, drawn] = frames.value();
    const FrameDifference difference = compareFrames(*expected, *drawn);
    const double similar = similarity(*expected, *drawn);
    result.largestDifference = std::max(result.largestDifference, difference.largest);
    result.minSimilarity = std::min(result.minSimilarity, similar);
    if (difference.largest > kMaxDifference || similar <= kMinSimilarity)
      addFailure(result, seed, std::to_string(difference.largest) + " levels difference");
  }
  return result;
}

DeepParityResult checkDeepParity(std::shared_ptr<vulkan::Device> device, int cases) {
  DeepParityResult result;
  for (const CanvasTransfer transfer : {CanvasTransfer::kSdr, CanvasTransfer::kPq}) {
    const CanvasColor color{transfer, false};
    const auto cpu = createDeepCompositor(color, false);
    auto created = createVulkanCompositor(device, {.deepColor = color});
    if (!created.ok()) {
      addFailure(result, 0, created.error().message);
      return result;
    }
    for (int seed = color.isHdr() ? cases / 2 + 1 : 1; seed <= (color.isHdr() ? cases : cases / 2); ++seed) {
      // The CPU takes the luma of masks as that of SDR.
      RandomCase random = randomCase(static_cast<uint64_t>(seed), {.effects = !color.isHdr()});
      forAllLayers(random.list, removeHostEffects);
      forAllLayers(random.list, removeBlendMode);
      ++result.cases;
      const auto frames = drawBoth(*cpu, *created.value(), random, seed);
      if (!frames.ok()) {
        addFailure(result, seed, frames.error().message);
        continue;
      }
      const auto& [expected, drawn] = frames.value();
      const FrameDifference difference = compareFrames(*expected, *drawn);
      result.largestDifference = std::max(result.largestDifference, difference.largestLuma);
      result.chromaDifference += difference.chromaMean / cases;
      if (difference.largestLuma > kMaxDifference)
        addFailure(result, seed, std::to_string(difference.largestLuma) + " codes difference");
    }
    result.hostFrames += static_cast<int>(created.value()->hostFrames());
  }
  return result;
}

SharingResult checkSharing(std::shared_ptr<vulkan::Device> device) {
  SharingResult result;
  result.renderNode = device->properties().identity.renderNode;
  const auto created = createVulkanCompositor(std::move(device));
  const auto share = [&](FramePlace place) -> Status {
    if (!created.ok()) return created.error();
    FW_ASSIGN_OR_RETURN(const auto frame, created.value()->createDeviceFrame(place, 1920, 1080));
    FW_ASSIGN_OR_RETURN(const Scene scene, createScene(*created.value(), 1920, 1080, 1));
    FW_RETURN_IF_ERROR(created.value()->compose(scene.list, scene.images, *frame));
    FW_ASSIGN_OR_RETURN(const int fd, frame->deviceMemory()->exportFd());
    close(fd);
    return {};
  };
  const auto textOf = [](const Status& status) {
    if (status.ok()) return std::string();
    return status.error().message + (status.error().detail.empty() ? "" : " " + status.error().detail);
  };
  result.opaque = textOf(share(FramePlace::kOpaque));
  result.timeline = textOf(share(FramePlace::kOpaqueTimeline));
  result.dmaBuf = textOf(share(FramePlace::kDmaBuf));
  return result;
}

Result<double> measureCopies(std::shared_ptr<vulkan::Device> device) {
  FW_ASSIGN_OR_RETURN(const double rate, copyRate(std::move(device), vulkan::MemoryUse::kDevice));
  return 2 * rate;
}

Result<double> measureReadBack(std::shared_ptr<vulkan::Device> device) {
  return copyRate(std::move(device), vulkan::MemoryUse::kReadback);
}

Result<SpeedResult> measureSpeed(std::shared_ptr<vulkan::Device> device, int width, int height, int layers,
                                 int bits, double copyBandwidth) {
  SpeedResult result{width, height, layers, bits};
  VulkanCompositorOptions options;
  if (bits > 8) options.deepColor = CanvasColor();
  const std::string pciAddress = device->properties().identity.pciAddress;
  FW_ASSIGN_OR_RETURN(const auto compositor, createVulkanCompositor(std::move(device), options));
  FW_ASSIGN_OR_RETURN(const auto frame, compositor->createFrame(PixelFormat::kNv12, width, height));
  FW_ASSIGN_OR_RETURN(const Scene scene, createScene(*compositor, width, height, layers));
  FW_ASSIGN_OR_RETURN(result.deviceSeconds, timeFrames(*compositor, scene, *frame,
                                                       [&](double) { return compositor->drawSeconds(); }));
  FW_ASSIGN_OR_RETURN(const PipelinedFrame pipelined,
                      timePipelined(*compositor, pciAddress, scene, width, height));
  result.frameSeconds = pipelined.seconds;
  result.joulesPerFrame = pipelined.joules;
  const auto cpu = bits > 8 ? createDeepCompositor(CanvasColor(), false) : createCpuCompositor();
  FW_ASSIGN_OR_RETURN(const auto onHost, cpu->createFrame(PixelFormat::kNv12, width, height));
  FW_ASSIGN_OR_RETURN(const Scene same, createScene(*cpu, width, height, layers));
  FW_ASSIGN_OR_RETURN(result.cpuSeconds, timeFrames(*cpu, same, *onHost, [](double before) {
                        return secondsOf(CLOCK_THREAD_CPUTIME_ID) - before;
                      }));
  const double pixels = static_cast<double>(width) * height;
  // Samples per pixel: a layer has luma, alpha and subsampled chroma with its alpha; a frame 1.5, of which
  // chroma is read and written again to interleave it.
  result.movedBytes = pixels * (2.75 * layers + 1.5 + 1);
  if (result.deviceSeconds > 0 && copyBandwidth > 0)
    result.shareOfCopy = result.movedBytes / result.deviceSeconds / copyBandwidth;
  return result;
}

}  // namespace framewright
