#include "kernels/blend/blend.h"

#include "kernels/kernel_testing.h"

using namespace framewright;
namespace kernels = framewright::kernels;
namespace reference = framewright::kernels::reference;

namespace {

struct Rows {
  size_t count, offset;
  Guarded<uint8_t> dst, src, alpha;
  Guarded<uint16_t> weights;
  uint16_t weight;
  kernels::RowRounding rounding;

  explicit Rows(std::mt19937& random)
      : count(1 + random() % 400),
        offset(random() % 64),
        dst(count, offset, random, 255),
        src(count, random() % 64, random, 255),
        alpha(count, random() % 64, random, 255),
        weights(count, random() % 32, random, kernels::kFullWeight),
        weight(static_cast<uint16_t>(random() % 4 == 0 ? kernels::kFullWeight : random() % 32768)) {
    if (random() % 3 != 0)
      rounding = kernels::ditheredRow(static_cast<int>(random() % 5000)).after(random() % 5000);
  }
};

template <typename Fast, typename Plain>
void compare(Fast fast, Plain plain) {
  forEachTarget([&](const std::string&) {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
      Rows rows(random);
      Guarded<uint8_t> expected = rows.dst;
      plain(expected.data(), rows);
      fast(rows.dst.data(), rows);
      REQUIRE(rows.dst == expected);
      REQUIRE(rows.dst.guardsHold());
    }
  });
}

}  // namespace

TEST_CASE("overRow equals its reference on every instruction set") {
  for (const bool opaque : {false, true}) {
    const auto alpha = [opaque](const Rows& r) { return opaque ? nullptr : r.alpha.data(); };
    compare(
        [&](uint8_t* d, const Rows& r) {
          kernels::overRow(d, r.src.data(), alpha(r), r.count, r.weight, r.rounding);
        },
        [&](uint8_t* d, const Rows& r) {
          reference::overRow(d, r.src.data(), alpha(r), r.count, r.weight, r.rounding);
        });
  }
}

TEST_CASE("overRowMasked equals its reference on every instruction set") {
  for (const bool opaque : {false, true}) {
    const auto alpha = [opaque](const Rows& r) { return opaque ? nullptr : r.alpha.data(); };
    compare(
        [&](uint8_t* d, const Rows& r) {
          kernels::overRowMasked(d, r.src.data(), alpha(r), r.weights.data(), r.count, r.rounding);
        },
        [&](uint8_t* d, const Rows& r) {
          reference::overRowMasked(d, r.src.data(), alpha(r), r.weights.data(), r.count, r.rounding);
        });
  }
}

TEST_CASE("lerpRow and fillRow equal their references on every instruction set") {
  compare([](uint8_t* d, const Rows& r) { kernels::lerpRow(d, d, r.src.data(), r.count, r.weight); },
          [](uint8_t* d, const Rows& r) { reference::lerpRow(d, d, r.src.data(), r.count, r.weight); });
  compare(
      [](uint8_t* d, const Rows& r) { kernels::fillRow(d, r.src.data()[0], r.count, r.weight, r.rounding); },
      [](uint8_t* d, const Rows& r) {
        reference::fillRow(d, r.src.data()[0], r.count, r.weight, r.rounding);
      });
}

TEST_CASE(
    "source-over is within one level of exact arithmetic, and exact for opaque or transparent samples") {
  for (int dst = 0; dst < 256; dst += 3) {
    for (int alpha = 0; alpha < 256; ++alpha) {
      for (const int src : {0, alpha / 2, alpha}) {
        for (const int weight : {0, 9000, 20000, static_cast<int>(kernels::kFullWeight)}) {
          auto out = static_cast<uint8_t>(dst);
          const auto s = static_cast<uint8_t>(src), a = static_cast<uint8_t>(alpha);
          reference::overRow(&out, &s, &a, 1, static_cast<uint16_t>(weight));
          const double exact = dst + (src - dst * alpha / 255.0) * weight / kernels::kFullWeight;
          REQUIRE(std::abs(out - exact) < 0.52);
          if (alpha == 255 && weight == kernels::kFullWeight) REQUIRE(out == src);
          if (alpha == 0) REQUIRE(out == dst);
        }
      }
    }
  }
}

TEST_CASE(
    "dithered blends are within a level of exact arithmetic, and exact for opaque or transparent samples") {
  constexpr int kLattice = 128;
  std::vector<uint8_t> out(kLattice), src(kLattice), alphas(kLattice);
  for (int dst = 0; dst < 256; dst += 5) {
    for (int alpha = 0; alpha < 256; alpha += 3) {
      for (const int weight : {0, 9000, static_cast<int>(kernels::kFullWeight)}) {
        const int source = alpha * 2 / 3;
        std::fill(out.begin(), out.end(), static_cast<uint8_t>(dst));
        std::fill(src.begin(), src.end(), static_cast<uint8_t>(source));
        std::fill(alphas.begin(), alphas.end(), static_cast<uint8_t>(alpha));
        reference::overRow(out.data(), src.data(), alphas.data(), kLattice, static_cast<uint16_t>(weight),
                           kernels::ditheredRow(dst));
        const double exact = dst + (source - dst * alpha / 255.0) * weight / kernels::kFullWeight;
        double sum = 0;
        for (const uint8_t level : out) {
          REQUIRE(std::abs(level - exact) < 1.02);
          if (alpha == 255 && weight == kernels::kFullWeight) REQUIRE(level == source);
          if (alpha == 0 || weight == 0) REQUIRE(level == dst);
          sum += level;
        }
        // 32 thresholds a row.
        REQUIRE(std::abs(sum / kLattice - exact) < 1.0 / 32 + 0.01);
      }
    }
  }
}

TEST_CASE("opaque samples at full weight replace any sample, whatever the rounding") {
  for (int dst = 0; dst < 256; ++dst) {
    for (int src = 0; src < 256; ++src) {
      std::vector<uint8_t> out(128, static_cast<uint8_t>(dst));
      reference::fillRow(out.data(), static_cast<uint8_t>(src), out.size(), kernels::kFullWeight,
                         kernels::ditheredRow(3));
      REQUIRE(std::all_of(out.begin(), out.end(), [src](uint8_t level) { return level == src; }));
    }
  }
}

TEST_CASE("blend kernels: time") {
  constexpr size_t kCount = 1920;
  std::vector<uint8_t> dst(kCount, 90), src(kCount, 60), alpha(kCount, 128);
  const std::vector<uint16_t> weights(kCount, 20000);
  forEachTarget([&](const std::string& target) {
    printTime("overRow", target, kCount,
              [&] { kernels::overRow(dst.data(), src.data(), alpha.data(), kCount, 30000); });
    printTime("overRow, dithered", target, kCount, [&] {
      kernels::overRow(dst.data(), src.data(), alpha.data(), kCount, 30000, kernels::ditheredRow(1));
    });
    printTime("overRowMasked", target, kCount,
              [&] { kernels::overRowMasked(dst.data(), src.data(), alpha.data(), weights.data(), kCount); });
    printTime("lerpRow", target, kCount,
              [&] { kernels::lerpRow(dst.data(), dst.data(), src.data(), kCount, 9000); });
    printTime("overRow, opaque, dithered", target, kCount, [&] {
      kernels::overRow(dst.data(), src.data(), nullptr, kCount, 9000, kernels::ditheredRow(1));
    });
  });
}
