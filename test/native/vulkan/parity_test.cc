#include "gpu_check/random_lists.h"
#include "vulkan/software_device.h"

namespace framewright {
namespace {

constexpr int kMostApart = 2;
constexpr double kLeastSimilarity = 0.999;

void requireParity(uint64_t first, uint64_t end, const ListKinds& kinds) {
#ifdef __SANITIZE_ADDRESS__
  end = first + (end - first) / 10;  // which take ten times as long
#endif
  SoftwareDevice software;
  const auto cpu = createCpuCompositor();
  const auto device = software.compositor();
  for (uint64_t seed = first; seed < end; ++seed) {
    const RandomCase random = randomCase(seed, kinds);
    const auto expected = drawCase(*cpu, random);
    REQUIRE(expected.ok());
    const auto drawn = drawCase(*device, random);
    INFO("seed " << seed << (drawn.ok() ? "" : drawn.error().message + " " + drawn.error().detail));
    REQUIRE(drawn.ok());
    const FrameDifference apart = compareFrames(*expected.value(), *drawn.value());
    INFO("plane " << apart.plane << " at " << apart.x << ", " << apart.y << " of " << random.width << " x "
                  << random.height << ", " << apart.differing << " samples differ");
    CHECK(apart.largest <= kMostApart);
    CHECK(similarity(*expected.value(), *drawn.value()) > kLeastSimilarity);
    INFO(software.firstMessage());
    REQUIRE(software.messages.empty());
  }
}

}  // namespace

TEST_CASE("the device draws fills, pictures and waveforms as the CPU does") {
  requireParity(1, 1200, {.effects = false, .transitions = false});
}

TEST_CASE("the device draws effects and blends as the CPU does") {
  requireParity(2000, 3000, {.effects = true, .transitions = false});
}

TEST_CASE("the device draws transitions as the CPU does, or leaves them to it") {
  requireParity(4000, 4800, {.effects = true, .transitions = true});
}

}  // namespace framewright
