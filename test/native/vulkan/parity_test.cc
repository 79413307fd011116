#include "compositor/plan/transitions/transition_styles.h"
#include "gpu_check/frame_difference.h"
#include "gpu_check/random_lists.h"
#include "sanitizers.h"
#include "vulkan/software_device.h"

namespace framewright {
namespace {

constexpr int kMaxDifference = 2;
constexpr double kMinSimilarity = 0.999;

// Draws the case with both compositors and compares, with each frame format of encoders.
void requireSame(SoftwareDevice& software, Compositor& cpu, Compositor& device, uint64_t seed,
                 const RandomCase& random) {
  const auto expected = drawCase(cpu, random);
  REQUIRE(expected.ok());
  const PixelFormat wanted = seed % 2 == 0 ? PixelFormat::kI420 : PixelFormat::kNv12;
  const auto drawn = drawCase(device, random, wanted);
  INFO((drawn.ok() ? "" : drawn.error().message + " " + drawn.error().detail));
  REQUIRE(drawn.ok());
  CHECK(drawn.value()->format() == wanted);
  const FrameDifference apart = compareFrames(*expected.value(), *drawn.value());
  INFO("plane " << apart.plane << " at " << apart.x << ", " << apart.y << " of " << random.width << " x "
                << random.height << ", " << apart.differing << " samples differ");
  CHECK(apart.largest <= kMaxDifference);
  CHECK(similarity(*expected.value(), *drawn.value()) > kMinSimilarity);
  INFO(software.firstMessage());
  REQUIRE(software.messages.empty());
}

void requireParity(uint64_t first, uint64_t end, const ListKinds& kinds) {
  SoftwareDevice software;
  const auto cpu = createCpuCompositor();
  const auto device = software.compositor();
  for (uint64_t seed = first; seed < first + fewerWithSanitizers(end - first); ++seed) {
    INFO("seed " << seed);
    requireSame(software, *cpu, *device, seed, randomCase(seed, kinds));
  }
}

}  // namespace

TEST_CASE("the device's fills, images and waveforms equal the CPU's") {
  requireParity(1, 1200, {.effects = false, .transitions = false});
}

TEST_CASE("the device's effects and blends equal the CPU's") {
  requireParity(2000, 3000, {.effects = true, .transitions = false});
}

TEST_CASE("the device's transitions equal the CPU's at all times") {
  SoftwareDevice software;
  const auto cpu = createCpuCompositor();
  const auto device = software.compositor();
  uint64_t seed = 0;
  for (const TransitionStyle& style : transitionStyles()) {
    for (const double progress : {0.1, 0.37, 0.5, 0.9}) {
      INFO(style.name << " at " << progress << ", seed " << seed);
      ++seed;
      requireSame(software, *cpu, *device, seed, randomTransition(seed, style.name, progress));
    }
  }
}

TEST_CASE("an unknown transition is an error on the device and on the CPU") {
  SoftwareDevice software;
  const auto drawn = drawCase(*software.compositor(), randomTransition(1, "swirl", 0.5));
  REQUIRE(!drawn.ok());
  CHECK(drawn.error().code == ErrorCode::INVALID_TIMELINE);
  CHECK(drawn.error().message == unknownTransition("swirl").message);
}

TEST_CASE("the device's nested transitions equal the CPU's") {
  requireParity(4000, 4800, {.effects = true, .transitions = true});
}

TEST_CASE("a corrected image hides the same layers on device and CPU, also on an odd canvas") {
  requireParity(2983, 2984, {.effects = true, .transitions = true});
}

}  // namespace framewright
