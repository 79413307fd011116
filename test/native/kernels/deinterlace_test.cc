#include "kernels/deinterlace.h"

#include <array>
#include <random>

#include "kernels/kernel_testing.h"

using namespace framewright;
using namespace framewright::kernels;

namespace {

template <typename Sample>
void compareWithReference(int max) {
  std::mt19937 random(11);
  for (const size_t count : {1, 3, 8, 17, 64, 101, 1003}) {
    std::vector<Guarded<Sample>> inputs;
    // Small differences reach the branches that large ones never do.
    for (size_t i = 0; i < 18; ++i)
      inputs.emplace_back(count, i % 5, random, static_cast<unsigned>(i % 2 == 0 ? max : 7));
    const auto at = [&](size_t i) -> const Sample* { return inputs[i].data(); };
    const FieldRows<Sample> rows{at(0), at(1),  at(2),  at(3),  at(4),  at(5),  at(6),  at(7),  at(8),
                                 at(9), at(10), at(11), at(12), at(13), at(14), at(15), at(16), at(17)};
    Guarded<Sample> made(count, 1, random, 0), expected = made;
    interpolateRow(made.data(), rows, count, max);
    reference::interpolateRow(expected.data(), rows, count, max);
    CHECK(made == expected);
    CHECK(made.guardsHold());
  }
}

}  // namespace

TEST_CASE("deinterlacing equals its reference on every instruction set") {
  forEachTarget([&](const std::string& target) {
    compareWithReference<uint8_t>(255);
    compareWithReference<uint16_t>(1023);
    compareWithReference<uint16_t>(65535);
    std::mt19937 random(12);
    Guarded<uint8_t> samples(1920, 0, random, 255), made(1920, 0, random, 0);
    const uint8_t* row = samples.data();
    const FieldRows<uint8_t> rows{row, row, row, row, row, row, row, row, row,
                                  row, row, row, row, row, row, row, row, row};
    printTime("deinterlace", target, 1920, [&] { interpolateRow(made.data(), rows, 1920, 255); });
  });
}
