// Composes typical 1080p frames and encodes the same frames with x264, alternating on one thread, then times
// kinds of frames against the memory bandwidth of the same run. `--json`: machine-readable, `--frames N`
// (default 120; 0: no encoding), `--only TEXT`: cases whose name contains it, `--simd NAME`: no better
// instruction set than this one of Highway (AVX2, SSE4 ...), `--deep`: the compositor for outputs of 10 bits
// beside that of 8 bits, without encoding.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

extern "C" {
#include <libavutil/log.h>
}
#include <hwy/targets.h>

#include "cases.h"
#include "compositor/deep/deep_compositor.h"
#include "encoder_floor.h"

using namespace framewright;
using namespace framewright::bench;

namespace {

constexpr double kBudget = 0.25;  // share of the encoder's time

// GB/s, read and written.
struct Bandwidth {
  double copy = 0, triad = 0;
};

Bandwidth measureBandwidth() {
  constexpr size_t kBytes = size_t{128} << 20, kFloats = kBytes / sizeof(float);
  Bandwidth best;
  {
    std::vector<char> from(kBytes, 1), to(kBytes, 2);
    for (int round = 0; round < 5; ++round) {
      const double start = cpuSeconds();
      std::memcpy(to.data(), from.data(), kBytes);
      best.copy = std::max(best.copy, 2.0 * kBytes / (cpuSeconds() - start) / 1e9);
      from[static_cast<size_t>(round)] = to[static_cast<size_t>(kBytes / 2)];
    }
  }
  std::vector<float> a(kFloats, 1), b(kFloats, 2), c(kFloats, 3);
  for (int round = 0; round < 5; ++round) {
    const float scale = 0.5F + a[static_cast<size_t>(round)];
    const double start = cpuSeconds();
    for (size_t i = 0; i < kFloats; ++i) a[i] = b[i] + scale * c[i];
    best.triad = std::max(best.triad, 3.0 * kBytes / (cpuSeconds() - start) / 1e9);
  }
  return best;
}

struct Measured {
  Comparison typical;
  Bandwidth bandwidth;
  std::vector<Case> cases;
  std::vector<double> times;
  std::vector<double> eightBits;  // times of the compositor of 8 bits, with --deep

  double shareOf(size_t i) const { return cases[i].bytes / (times[i] * 1e-3) / 1e9 / bandwidth.copy; }
};

void printTable(const Measured& m, int frames) {
  if (frames > 0) {
    const double ratio = m.typical.composeMs / m.typical.encodeMs;
    std::printf("typical 1080p frame, %d frames, CPU time, one thread\n", frames);
    std::printf("  compose            %8.3f ms/frame\n", m.typical.composeMs);
    std::printf("  x264 veryfast crf23%8.3f ms/frame  (%.1f Mbit/s)\n", m.typical.encodeMs,
                static_cast<double>(m.typical.bytes) * 8 * 30 / frames / 1e6);
    std::printf("  compose / encode   %8.3f           (at most %.2f: %s)\n", ratio, kBudget,
                ratio <= kBudget ? "met" : "MISSED");
  }
  std::printf("memory bandwidth     %8.1f GB/s copied, %.1f GB/s triad (read + write)\n", m.bandwidth.copy,
              m.bandwidth.triad);
  std::printf("%-46s %8s %9s %10s\n", "1080p frame", "ms", "MB", "of copying");
  for (size_t i = 0; i < m.cases.size(); ++i) {
    std::printf("%-46s %8.3f %9.2f %9.0f%%\n", m.cases[i].name, m.times[i], m.cases[i].bytes / 1e6,
                100 * m.shareOf(i));
  }
}

void printBesideEightBits(const Measured& m) {
  std::printf("%-46s %9s %9s %7s\n", "1080p frame, CPU time in ms", "8 bits", "10 bits", "ratio");
  double logarithms = 0;
  size_t worst = 0;
  const auto ratio = [&](size_t i) { return m.times[i] / m.eightBits[i]; };
  for (size_t i = 0; i < m.cases.size(); ++i) {
    std::printf("%-46s %9.3f %9.3f %7.2f\n", m.cases[i].name, m.eightBits[i], m.times[i], ratio(i));
    logarithms += std::log(ratio(i));
    if (ratio(i) > ratio(worst)) worst = i;
  }
  if (m.cases.empty()) return;
  std::printf("geometric mean of the ratios %.2f, worst %.2f: %s\n",
              std::exp(logarithms / static_cast<double>(m.cases.size())), ratio(worst), m.cases[worst].name);
}

void printJson(const Measured& m, int frames) {
  std::printf("{");
  if (frames > 0) {
    std::printf("\"frames\":%d,\"composeMs\":%.4f,\"encodeMs\":%.4f,\"ratio\":%.4f,\"budget\":%.2f,", frames,
                m.typical.composeMs, m.typical.encodeMs, m.typical.composeMs / m.typical.encodeMs, kBudget);
  }
  std::printf("\"bandwidthGBs\":%.2f,\"triadGBs\":%.2f,\"cases\":[", m.bandwidth.copy, m.bandwidth.triad);
  for (size_t i = 0; i < m.cases.size(); ++i) {
    std::printf("%s{\"name\":\"%s\",\"ms\":%.4f,\"bytes\":%.0f,\"shareOfBandwidth\":%.3f", i > 0 ? "," : "",
                m.cases[i].name, m.times[i], m.cases[i].bytes, m.shareOf(i));
    if (!m.eightBits.empty()) std::printf(",\"eightBitsMs\":%.4f", m.eightBits[i]);
    std::printf("}");
  }
  std::printf("]}\n");
}

struct Options {
  bool json = false;
  int frames = 120;
  const char* only = "";
  bool deep = false;
};

// Leaves out instruction sets that are better than the named one, as on a CPU without them.
void limitSimd(const std::string& name) {
  // Better targets have lower bits.
  int64_t better = 0;
  for (int bit = 0; bit < 63; ++bit) {
    const int64_t target = int64_t{1} << bit;
    if ((target & static_cast<int64_t>(HWY_TARGETS)) == 0) continue;
    if (hwy::TargetName(target) == name) return hwy::DisableTargets(better);
    better |= target;
  }
  fail("this program has no kernels for " + name);
}

Options readOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const bool more = i + 1 < argc;
    if (std::strcmp(argv[i], "--json") == 0) {
      options.json = true;
    } else if (std::strcmp(argv[i], "--deep") == 0) {
      options.deep = true;
      options.frames = 0;
    } else if (std::strcmp(argv[i], "--only") == 0 && more) {
      options.only = argv[++i];
    } else if (std::strcmp(argv[i], "--simd") == 0 && more) {
      limitSimd(argv[++i]);
    } else if (std::strcmp(argv[i], "--frames") == 0 && more && std::strspn(argv[i + 1], "0123456789") > 0) {
      options.frames = std::atoi(argv[++i]);
    } else {
      fail("usage: compose_bench [--json] [--frames N] [--only TEXT] [--simd NAME] [--deep]; N at least 0");
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = readOptions(argc, argv);
  av_log_set_level(AV_LOG_ERROR);
  const auto compositor = options.deep ? createDeepCompositor({}, false) : createCpuCompositor();
  const std::vector<PreparedImagePtr> images = prepareImages(*compositor);
  const auto frame = require(Image::create(PixelFormat::kI420, kWidth, kHeight));
  const auto eightBits = createCpuCompositor();
  const auto imagesOfEightBits = options.deep ? prepareImages(*eightBits) : std::vector<PreparedImagePtr>();
  Measured measured;
  measured.bandwidth = measureBandwidth();
  if (options.frames > 0) {
    measured.typical = compareWithEncoder(*compositor, images, *frame, options.frames);
  }
  for (const Case& one : allCases()) {
    if (std::strstr(one.name, options.only) == nullptr) continue;
    measured.cases.push_back(one);
    if (options.deep) measured.eightBits.push_back(timeCase(*eightBits, imagesOfEightBits, one));
    measured.times.push_back(timeCase(*compositor, images, one));
  }
  if (options.json) {
    printJson(measured, options.frames);
  } else if (options.deep) {
    printBesideEightBits(measured);
  } else {
    printTable(measured, options.frames);
  }
  return 0;
}
