#include <random>

#include "kernels/blend/blend.h"
#include "kernels/blend/blend_modes.h"
#include "kernels/blur.h"
#include "kernels/curve.h"
#include "kernels/difference_key.h"
#include "kernels/finish.h"
#include "kernels/kernel_testing.h"
#include "kernels/mean/shifted_mean.h"
#include "kernels/mean/sliding_mean.h"
#include "kernels/shadow.h"
#include "kernels/straight.h"

using namespace framewright;
using namespace framewright::kernels;

namespace {

constexpr size_t kCounts[] = {1, 2, 7, 16, 31, 64, 65, 129, 1003};
constexpr const uint8_t* kOpaque = nullptr;

}  // namespace

TEST_CASE("blend modes equal their reference on every instruction set") {
  std::mt19937 random(7);
  forEachTarget([&](const std::string&) {
    for (int mode = 0; mode <= static_cast<int>(BlendMode::kAdd); ++mode) {
      CAPTURE(mode);
      for (const size_t count : kCounts) {
        Guarded<uint8_t> y(count, 3, random, 255), u(count, 0, random, 255), v(count, 1, random, 255);
        Guarded<uint8_t> sy(count, 0, random, 255), su(count, 2, random, 255), sv(count, 0, random, 255);
        Guarded<uint8_t> alpha(count, 5, random, 255);
        Guarded<uint16_t> weights(count, 1, random, kFullWeight);
        Guarded<uint8_t> made(count, 1, random, 0), expected = made;
        Guarded<int16_t> du(count, 1, random, 0), dv(count, 2, random, 0), eu = du, ev = dv;
        const auto with = static_cast<BlendMode>(mode);
        blendRow(with, {made.data(), du.data(), dv.data()}, {y.data(), u.data(), v.data()},
                 {sy.data(), su.data(), sv.data()}, alpha.data(), weights.data(), count);
        reference::blendRow(with, {expected.data(), eu.data(), ev.data()}, {y.data(), u.data(), v.data()},
                            {sy.data(), su.data(), sv.data()}, alpha.data(), weights.data(), count);
        CHECK(made == expected);
        CHECK(du == eu);
        CHECK(dv == ev);
        CHECK(made.guardsHold());
        CHECK(du.guardsHold());
        CHECK(dv.guardsHold());
      }
    }
  });
}

TEST_CASE("straight samples and keys equal their reference on every instruction set") {
  std::mt19937 random(8);
  forEachTarget([&](const std::string&) {
    for (const size_t count : kCounts) {
      Guarded<uint8_t> src(count, 1, random, 255), alpha(count, 0, random, 255), v(count, 2, random, 255);
      for (size_t i = 0; i < count; i += 3) alpha.data()[i] = i % 2 == 0 ? 0 : 255;
      Guarded<uint8_t> made(count, 2, random, 0), expected = made;
      unpremultiplyRow(made.data(), src.data(), alpha.data(), count);
      reference::unpremultiplyRow(expected.data(), src.data(), alpha.data(), count);
      CHECK(made == expected);
      CHECK(made.guardsHold());
      const KeyRamp ramp{120, 60, 40, 0.25f, 40, 70};
      Guarded<uint16_t> hidden(count, 1, random, 0), wanted = hidden;
      keyRow(hidden.data(), src.data(), alpha.data(), v.data(), ramp, count);
      reference::keyRow(wanted.data(), src.data(), alpha.data(), v.data(), ramp, count);
      CHECK(hidden == wanted);
      CHECK(hidden.guardsHold());
    }
  });
}

TEST_CASE("the steps of a blur equal their reference on every instruction set") {
  std::mt19937 random(9);
  forEachTarget([&](const std::string&) {
    for (const size_t count : kCounts) {
      Guarded<uint8_t> bytes(count, 1, random, 255), narrow(count, 0, random, 0), narrowed = narrow;
      Guarded<int16_t> wide(count, 1, random, 0), widened = wide;
      widenRow(wide.data(), bytes.data(), count);
      reference::widenRow(widened.data(), bytes.data(), count);
      CHECK(wide == widened);
      CHECK(wide.guardsHold());
      Guarded<int16_t> samples(count, 1, random, 32767);
      narrowRow(narrow.data(), samples.data(), count);
      reference::narrowRow(narrowed.data(), samples.data(), count);
      CHECK(narrow == narrowed);
      CHECK(narrow.guardsHold());
      Guarded<int16_t> a(2 * count + 3, 0, random, 32640), b(2 * count + 3, 1, random, 32640);
      const int16_t* const rows[] = {a.data(), b.data(), a.data() + 1};
      const int16_t weights[] = {9000, 20000, 3768};
      weighRows(wide.data(), rows, weights, 3, count);
      reference::weighRows(widened.data(), rows, weights, 3, count);
      CHECK(wide == widened);
      halveColumns(wide.data(), a.data() + 1, count);
      reference::halveColumns(widened.data(), a.data() + 1, count);
      CHECK(wide == widened);
      Guarded<int16_t> doubled(2 * count, 1, random, 0), twice = doubled;
      doubleColumns(doubled.data(), a.data() + 1, count);
      reference::doubleColumns(twice.data(), a.data() + 1, count);
      CHECK(doubled == twice);
      CHECK(doubled.guardsHold());
      CHECK(wide.guardsHold());
    }
  });
}

TEST_CASE("the mean of shifted rows equals its reference on every instruction set") {
  std::mt19937 random(11);
  forEachTarget([&](const std::string&) {
    for (const size_t count : kCounts) {
      const Guarded<uint8_t> upper(count + 1, 1, random, 255), lower(count + 1, 0, random, 255);
      Guarded<uint16_t> sums(count, 1, random, 0), expected = sums;
      for (int copies = 1; copies <= kMaxCopies; ++copies) {
        const auto right = static_cast<int>(random() % kShiftSteps),
                   down = static_cast<int>(random() % kShiftSteps);
        addShifted(sums.data(), upper.data(), lower.data(), right, down, count);
        reference::addShifted(expected.data(), upper.data(), lower.data(), right, down, count);
        CHECK(sums == expected);
        Guarded<uint8_t> made(count, 2, random, 0), wanted = made;
        averageRow(made.data(), sums.data(), copies, count);
        reference::averageRow(wanted.data(), sums.data(), copies, count);
        CHECK(made == wanted);
        CHECK(made.guardsHold());
      }
      CHECK(sums.guardsHold());
    }
  });
}

TEST_CASE("sliding means and reversed rows equal their reference on every instruction set") {
  std::mt19937 random(13);
  forEachTarget([&](const std::string&) {
    for (const size_t count : kCounts) {
      const Guarded<uint8_t> leaving(count, 1, random, 255), entering(count, 0, random, 255);
      for (const uint32_t samples : {1u, 2u, 37u, 806u, 8191u}) {
        const uint32_t length = samples * kBoxUnit + random() % kBoxUnit, start = random() % kBoxUnit;
        const SlidingBox box{length, start, (start + length) % kBoxUnit};
        Guarded<uint32_t> sums(count, 1, random, 0), slid = sums;
        const uint32_t whole = (start + length) / kBoxUnit;
        for (size_t i = 0; i < count; ++i)
          slid.data()[i] = sums.data()[i] = leaving.data()[i] + (whole - 1) * (random() % 256);
        for (const bool slides : {false, true}) {
          Guarded<uint8_t> made(count, 2, random, 0), wanted = made;
          slideMeanRow(made.data(), sums.data(), leaving.data(), entering.data(), count, box, slides);
          reference::slideMeanRow(wanted.data(), slid.data(), leaving.data(), entering.data(), count, box,
                                  slides);
          CHECK(made == wanted);
          CHECK(sums == slid);
          CHECK(made.guardsHold());
          CHECK(sums.guardsHold());
        }
      }
      Guarded<uint8_t> reversed(count, 1, random, 0), expected = reversed;
      reverseRow(reversed.data(), leaving.data(), count);
      reference::reverseRow(expected.data(), leaving.data(), count);
      CHECK(reversed == expected);
      CHECK(reversed.guardsHold());
    }
  });
}

TEST_CASE("the division of sliding means is exact") {
  for (const uint32_t length : {64u, 65u, 127u, 128u, 4095u, 4096u, 51583u, 524287u}) {
    const BoxDivision mean(length);
    for (uint64_t quotient = 0; quotient < 256; ++quotient) {
      // The sums at which the rounded quotient changes.
      for (const int64_t offset : {-1, 0, 1}) {
        const int64_t sum = static_cast<int64_t>(quotient * length) - mean.half + offset;
        if (sum < 0 || sum > int64_t{255} * length) continue;
        CHECK(mean(static_cast<uint32_t>(sum)) == (static_cast<uint64_t>(sum) + mean.half) / length);
      }
    }
  }
}

TEST_CASE("the mean of shifted rows keeps equal samples, whatever the shifts") {
  std::mt19937 random(12);
  for (int value = 0; value < 256; ++value) {
    const std::vector<uint8_t> row(9, static_cast<uint8_t>(value));
    for (const int copies : {1, 2, 3, 17, 64}) {
      std::vector<uint16_t> sums(8, 0);
      for (int i = 0; i < copies; ++i) {
        addShifted(sums.data(), row.data(), row.data(), static_cast<int>(random() % kShiftSteps),
                   static_cast<int>(random() % kShiftSteps), 8);
      }
      std::vector<uint8_t> mean(8);
      averageRow(mean.data(), sums.data(), copies, 8);
      CHECK(mean == std::vector<uint8_t>(8, static_cast<uint8_t>(value)));
    }
  }
}

TEST_CASE("a colour under a row equals its reference on every instruction set") {
  std::mt19937 random(13);
  forEachTarget([&](const std::string&) {
    for (const size_t count : kCounts) {
      const Guarded<uint8_t> alpha(count, 1, random, 255);
      Guarded<uint16_t> cover(count, 0, random, 1020);
      for (const int value : {0, 1, 16, 235, 255}) {
        for (const int opacity : {0, 1, 128, 255}) {
          for (const int intensity : {0, 23, kShadowIntensityUnit, 4 * kShadowIntensityUnit}) {
            Guarded<uint8_t> made(count, 1, random, 255), wanted = made;
            layUnder(made.data(), alpha.data(), cover.data(), value, opacity, intensity, count);
            reference::layUnder(wanted.data(), alpha.data(), cover.data(), value, opacity, intensity, count);
            CHECK(made == wanted);
            CHECK(made.guardsHold());
          }
        }
      }
    }
  });
}

TEST_CASE("a transparent layer changes nothing in any blend mode" * doctest::description("exactly")) {
  std::mt19937 random(10);
  constexpr size_t kCount = 500;
  for (int mode = 0; mode <= static_cast<int>(BlendMode::kAdd); ++mode) {
    Guarded<uint8_t> y(kCount, 0, random, 255), u(kCount, 0, random, 255), v(kCount, 0, random, 255);
    const Guarded<uint8_t> before = y, nothing(kCount, 0, random, 0);
    Guarded<int16_t> du(kCount, 0, random, 9), dv(kCount, 0, random, 9);
    const Guarded<uint16_t> weights(kCount, 0, random, kFullWeight);
    blendRow(static_cast<BlendMode>(mode), {y.data(), du.data(), dv.data()}, {y.data(), u.data(), v.data()},
             {u.data(), v.data(), u.data()}, nothing.data(), weights.data(), kCount);
    CHECK(y == before);
    for (size_t i = 0; i < kCount; ++i) CHECK(du.data()[i] == 0);
  }
}

TEST_CASE("sharpening, vignette and grain equal their reference on every instruction set") {
  std::mt19937 random(12);
  std::vector<int32_t> table(kVignetteSteps + 1);
  for (size_t i = 0; i < table.size(); ++i) table[i] = 32768 - static_cast<int32_t>(i * 100);
  forEachTarget([&](const std::string&) {
    for (const size_t count : kCounts) {
      const size_t wide = count + 2 * kSharpenReach;
      std::vector<Guarded<uint8_t>> luma, alpha;
      const uint8_t *lumaRows[kSharpenTaps], *alphaRows[kSharpenTaps];
      for (size_t y = 0; y < kSharpenTaps; ++y) {
        luma.emplace_back(wide, y % 3, random, 255);
        alpha.emplace_back(wide, y % 2, random, 255);
      }
      for (size_t y = 0; y < kSharpenTaps; ++y) {
        lumaRows[y] = luma[y].data();
        alphaRows[y] = alpha[y].data();
      }
      for (const int strength : {1, 300, kSharpenUnit, 4 * kSharpenUnit}) {
        Guarded<uint8_t> made(count, 1, random, 0), expected = made;
        sharpenRow(made.data(), lumaRows, alphaRows, strength, count);
        reference::sharpenRow(expected.data(), lumaRows, alphaRows, strength, count);
        CHECK(made == expected);
        CHECK(made.guardsHold());
      }
      Guarded<uint16_t> brightness(count, 1, random, 0), darkness = brightness;
      const VignetteRow row{static_cast<uint32_t>(-1048576), 300000, 2500, static_cast<uint32_t>(-41)};
      vignetteRow(brightness.data(), row, table.data(), count);
      reference::vignetteRow(darkness.data(), row, table.data(), count);
      CHECK(brightness == darkness);
      CHECK(brightness.guardsHold());
      for (const int neutral : {16, 128}) {
        for (const RowRounding& rounding : {RowRounding{}, ditheredRow(5)}) {
          for (const uint8_t* const alphas : {std::as_const(alpha[0]).data(), kOpaque}) {
            Guarded<uint8_t> samples(count, 1, random, 255), same = samples;
            shadeRow(samples.data(), alphas, brightness.data(), neutral, rounding, count);
            reference::shadeRow(same.data(), alphas, brightness.data(), neutral, rounding, count);
            CHECK(samples == same);
            CHECK(samples.guardsHold());
          }
        }
      }
      Guarded<int8_t> noise(count, 3, random, 255);
      for (const int strength : {1, 700, 4095, 4096, 8192}) {
        for (const uint8_t* const alphas : {std::as_const(alpha[0]).data(), kOpaque}) {
          Guarded<uint8_t> samples(count, 2, random, 255), same = samples;
          grainRow(samples.data(), alphas, noise.data(), strength, count);
          reference::grainRow(same.data(), alphas, noise.data(), strength, count);
          CHECK(samples == same);
          CHECK(samples.guardsHold());
        }
      }
    }
  });
}

TEST_CASE("curves equal their reference on every instruction set") {
  std::mt19937 random(14);
  forEachTarget([&](const std::string&) {
    for (const size_t count : kCounts) {
      const Guarded<uint8_t> curve(256, 1, random, 255);
      Guarded<uint8_t> mixed(count, 3, random, 255), edged(count, 0, random, 0);
      // Long opaque and transparent parts with an edge between them, as in a layer.
      for (size_t i = 0; i < count; ++i) edged.data()[i] = i < count / 2 ? 255 : i == count / 2 ? 77 : 0;
      for (const uint8_t* const alphas :
           {std::as_const(mixed).data(), std::as_const(edged).data(), kOpaque}) {
        Guarded<uint8_t> samples(count, 1, random, 255), same = samples;
        curveRow(samples.data(), alphas, curve.data(), count);
        reference::curveRow(same.data(), alphas, curve.data(), count);
        CHECK(samples == same);
        CHECK(samples.guardsHold());
        for (const LinearCurve& linear : {LinearCurve{4915, -1}, LinearCurve{-32358, 1138},
                                          LinearCurve{0, 77}, LinearCurve{32358, -1138}, LinearCurve{}}) {
          Guarded<uint8_t> lined(count, 1, random, 255), wanted = lined;
          linearCurveRow(lined.data(), alphas, linear, count);
          reference::linearCurveRow(wanted.data(), alphas, linear, count);
          CHECK(lined == wanted);
          CHECK(lined.guardsHold());
        }
      }
    }
  });
}

TEST_CASE("the steps of a colour difference key equal their reference on every instruction set") {
  std::mt19937 random(13);
  DifferenceKey key{120, -60, -50, -0.76f, -0.64f, 1 / 78.0f, 0.45f, 0.02f, 1.1f, 0.1f, 1 / 0.9f, 0.8f};
  forEachTarget([&](const std::string&) {
    for (const size_t count : kCounts) {
      Guarded<uint8_t> y(count, 1, random, 255), u(count, 0, random, 255), v(count, 2, random, 255);
      Guarded<float> level(count, 1, random, 3), mix = level, wanted = level;
      for (size_t i = 0; i < count; ++i) level.data()[i] = 0.4f + 0.2f * level.data()[i];
      mixRow(mix.data(), u.data(), v.data(), key, count);
      reference::mixRow(wanted.data(), u.data(), v.data(), key, count);
      CHECK(mix == wanted);
      CHECK(mix.guardsHold());
      for (int view = 0; view < 3; ++view) {
        key.showsMatte = view == 1;
        key.showsSpill = view == 2;
        Guarded<uint16_t> hidden(count, 1, random, 0), weights = hidden;
        Guarded<uint8_t> luma = y, sameLuma = y, madeU = u, sameU = u, madeV = v, sameV = v;
        keyLumaRow(hidden.data(), luma.data(), u.data(), v.data(), level.data(), key, count);
        reference::keyLumaRow(weights.data(), sameLuma.data(), u.data(), v.data(), level.data(), key, count);
        CHECK(hidden == weights);
        CHECK(luma == sameLuma);
        CHECK(hidden.guardsHold());
        CHECK(luma.guardsHold());
        keyChromaRow(madeU.data(), madeV.data(), level.data(), key, count);
        reference::keyChromaRow(sameU.data(), sameV.data(), level.data(), key, count);
        CHECK(madeU == sameU);
        CHECK(madeV == sameV);
        CHECK(madeU.guardsHold());
        CHECK(madeV.guardsHold());
      }
    }
  });
}
