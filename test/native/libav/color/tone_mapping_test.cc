#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>

#include <doctest/doctest.h>

#include "libav/color/color_chart.h"
#include "libav/decode/video_decoder.h"
#include "libav/media_fixture.h"

using namespace framewright;
using chart::Color;
using fixture::media;

namespace {

const std::string kChartSize = "384x384";
// Of a display of 1000 cd/m², which is what the chart reaches.
const std::string kUsualMaster =
    ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400";

// `canvas`: see DecodeOptions.
ImagePtr firstFrame(const std::string& path, std::optional<CanvasTransfer> canvas = std::nullopt) {
  static const CancelToken never;
  auto decoder = VideoDecoder::open(path, 1, never, {.canvas = canvas});
  if (!decoder.ok()) FAIL(decoder.error().message);
  auto image = decoder.value()->frameAt(0);
  if (!image.ok()) FAIL(image.error().message);
  return image.take();
}

// A chart as lossless 10-bit BT.2020 HEVC, as phones and HDR10 cameras tag it.
std::string hdrChart(const std::string& name, chart::Signal signal, const std::string& metadata = "") {
  std::vector<Color> signals;
  for (const chart::Patch& patch : chart::hdrPatches()) signals.push_back(chart::encode(signal, patch.nits));
  const std::string transfer = signal == chart::Signal::kHlg ? "arib-std-b67" : "smpte2084";
  return media(name, "-f rawvideo -pix_fmt rgb48le -s " + kChartSize + " -i " +
                         chart::writeChart(name + ".rgb", signals) +
                         " -vf zscale=rin=full:r=limited:min=gbr:m=bt2020nc,format=yuv420p10le -c:v libx265 "
                         "-x265-params 'lossless=1:log-level=none:colorprim=bt2020:colormatrix=bt2020nc:"
                         "range=limited:transfer=" +
                         transfer + metadata + "' -tag:v hvc1");
}

// The chart converted by libplacebo, as 16-bit YUV 4:4:4; empty where its filter does not run.
std::vector<uint8_t> byLibplacebo(const std::string& path) {
  const std::string out = path + ".placebo";
  const std::string command =
      "ffmpeg -v error -y -init_hw_device vulkan=vk -filter_hw_device vk -i " + path +
      " -frames:v 1 -vf format=yuv420p10,hwupload,libplacebo=format=yuv444p16:colorspace=bt709:"
      "color_primaries=bt709:color_trc=bt709:range=limited:tonemapping=bt.2390:peak_detect=0,hwdownload,"
      "format=yuv444p16le -f rawvideo " +
      out + " 2>&1";
  if (std::system(command.c_str()) != 0) return {};
  return fixture::readFile(out);
}

struct Differences {
  double sum = 0, worst = 0;
  int count = 0;

  void add(double difference) {
    sum += difference;
    worst = std::max(worst, difference);
    ++count;
  }
  double mean() const { return sum / count; }
};

// `canvas`: of 10 bits, or null.
void checkLikeLibplacebo(const char* name, const std::string& path,
                         std::optional<CanvasTransfer> canvas = std::nullopt) {
  const std::vector<uint8_t> wanted = byLibplacebo(path);
  if (wanted.empty()) {
    std::printf("NOT CHECKED: %s against libplacebo, because ffmpeg's libplacebo filter does not run here\n",
                name);
    return;
  }
  const ImagePtr image = firstFrame(path, canvas);
  REQUIRE(image->format() == (canvas ? PixelFormat::kI010 : PixelFormat::kI420));
  const std::vector<chart::Patch> patches = chart::hdrPatches();
  Differences all;
  std::map<std::string, Differences> kinds;
  for (size_t i = 0; i < patches.size(); ++i) {
    const double difference =
        chart::deltaEItp(chart::displayedNits(chart::patchOf(*image, i)),
                         chart::displayedNits(chart::patchOf(wanted, i, patches.size())));
    all.add(difference);
    kinds[patches[i].kind].add(difference);
  }
  std::printf("%s against libplacebo: mean delta E ITP %.2f, worst %.2f;", name, all.mean(), all.worst);
  for (const auto& [kind, one] : kinds) std::printf(" %s %.2f (%.2f)", kind.c_str(), one.mean(), one.worst);
  std::printf("\n");
  CHECK(all.mean() <= 2);
  CHECK(kinds["grey"].mean() <= 1.5);
  CHECK(kinds["skin"].mean() <= 2.5);
}

}  // namespace

TEST_CASE("HLG is shown as libplacebo shows it") {
  checkLikeLibplacebo("HLG", hdrChart("hlg.mp4", chart::Signal::kHlg));
}

TEST_CASE("PQ is shown as libplacebo shows it") {
  checkLikeLibplacebo("PQ", hdrChart("pq.mp4", chart::Signal::kPq, kUsualMaster));
}

TEST_CASE("HDR is shown as libplacebo shows it in SDR of 10 bits") {
  checkLikeLibplacebo("HLG in 10 bits", hdrChart("hlg.mp4", chart::Signal::kHlg), CanvasTransfer::kSdr);
  checkLikeLibplacebo("PQ in 10 bits", hdrChart("pq.mp4", chart::Signal::kPq, kUsualMaster),
                      CanvasTransfer::kSdr);
}

TEST_CASE("HDR canvases show the light of HDR charts") {
  struct Conversion {
    const char* name;
    chart::Signal from, to;
  };
  using chart::Signal;
  constexpr Conversion kConversions[] = {{"PQ as PQ", Signal::kPq, Signal::kPq},
                                         {"HLG as HLG", Signal::kHlg, Signal::kHlg},
                                         {"PQ as HLG", Signal::kPq, Signal::kHlg},
                                         {"HLG as PQ", Signal::kHlg, Signal::kPq}};
  for (const auto& [name, from, to] : kConversions) {
    CAPTURE(name);
    const std::string path =
        from == Signal::kPq ? hdrChart("pq.mp4", from, kUsualMaster) : hdrChart("hlg.mp4", from);
    const ImagePtr image = firstFrame(path, to == Signal::kPq ? CanvasTransfer::kPq : CanvasTransfer::kHlg);
    REQUIRE(image->format() == PixelFormat::kI010);
    const std::vector<chart::Patch> patches = chart::hdrPatches();
    Differences all;
    for (size_t i = 0; i < patches.size(); ++i) {
      const Color& nits = patches[i].nits;
      // HLG has no signal for bright saturated light.
      const bool fits =
          chart::deltaEItp(chart::decode(Signal::kHlg, chart::encode(Signal::kHlg, nits)), nits) < 0.1;
      if (fits) all.add(chart::deltaEItp(chart::decode(to, chart::patchOf(*image, i, true)), nits));
    }
    CHECK(all.count > 120);
    std::printf("%s: mean delta E ITP %.2f, worst %.2f\n", name, all.mean(), all.worst);
    CHECK(all.mean() <= 2);
  }
}

TEST_CASE("gradients in HDR and in other primaries keep more than 8 bits in SDR of 10 bits") {
  // Each column has the next code of 10 bits.
  const std::string ramp =
      "-f lavfi -i color=s=876x16:r=1:d=1 -vf format=yuv420p10le,geq=lum='64+X':cb=512:cr=512 ";
  const std::string encoder = "-c:v libx265 -x265-params lossless=1:log-level=none:range=limited:";
  struct Clip {
    const char *name, *tags;
    size_t minLevels;
  };
  constexpr Clip kClips[] = {
      {"ramp-pq.mp4", "colorprim=bt2020:colormatrix=bt2020nc:transfer=smpte2084", 500},
      {"ramp-hlg.mp4", "colorprim=bt2020:colormatrix=bt2020nc:transfer=arib-std-b67", 600},
      {"ramp-bt2020.mp4", "colorprim=bt2020:colormatrix=bt2020nc:transfer=bt2020-10", 870},
      {"ramp-p3.mp4", "colorprim=smpte432:colormatrix=bt709:transfer=bt709", 870}};
  for (const Clip& clip : kClips) {
    CAPTURE(clip.name);
    const ImagePtr image =
        firstFrame(media(clip.name, ramp + encoder + clip.tags + " -tag:v hvc1"), CanvasTransfer::kSdr);
    REQUIRE(image->format() == PixelFormat::kI010);
    const auto* const row = reinterpret_cast<const uint16_t*>(image->plane(0).data);
    CHECK(std::is_sorted(row, row + image->width()));
    CHECK(std::set<uint16_t>(row, row + image->width()).size() >= clip.minLevels);
  }
}

TEST_CASE("PQ without metadata counts as mastered at 1000 cd/m2, and a brighter master is darker") {
  const ImagePtr plain = firstFrame(hdrChart("pq-plain.mp4", chart::Signal::kPq));
  const ImagePtr usual = firstFrame(hdrChart("pq.mp4", chart::Signal::kPq, kUsualMaster));
  const ImagePtr bright = firstFrame(
      hdrChart("pq-4000.mp4", chart::Signal::kPq,
               ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(40000000,1)"));
  const ImagePtr dim = firstFrame(hdrChart("pq-cll.mp4", chart::Signal::kPq, ":max-cll=400,100"));
  constexpr size_t kGrey = 18;  // about 122 cd/m²
  const auto red = [&](const ImagePtr& image) { return chart::patchOf(*image, kGrey)[0]; };
  CHECK(red(plain) == doctest::Approx(red(usual)).epsilon(0.001));
  CHECK(red(bright) < red(usual) - 0.02);
  CHECK(red(dim) > red(usual) + 0.01);
}

TEST_CASE("SDR with other primaries and transfer characteristics is converted as by zscale") {
  struct Tags {
    const char *primaries, *transfer, *matrix;
  };
  constexpr Tags kTags[] = {{"bt2020", "bt2020-10", "bt2020nc"}, {"smpte170m", "smpte170m", "smpte170m"},
                            {"bt470bg", "smpte170m", "bt470bg"}, {"smpte432", "bt709", "bt709"},
                            {"bt709", "bt470m", "bt709"},        {"bt709", "bt470bg", "bt709"}};
  std::vector<Color> signals;
  for (const chart::Patch& patch : chart::hdrPatches()) {
    Color signal{};
    for (size_t i = 0; i < 3; ++i) signal[i] = std::pow(std::min(patch.nits[i] / 203, 1.0), 1 / 2.4);
    signals.push_back(signal);
  }
  const std::string raw = chart::writeChart("sdr.rgb", signals);
  for (const Tags& tags : kTags) {
    CAPTURE(tags.primaries);
    CAPTURE(tags.transfer);
    const std::string name = std::string("sdr-") + tags.primaries + "-" + tags.transfer + ".mp4";
    const std::string path = media(name, "-f rawvideo -pix_fmt rgb48le -s " + kChartSize + " -i " + raw +
                                             " -vf zscale=rin=full:r=limited:min=gbr:m=" + tags.matrix +
                                             ",format=yuv420p10le -c:v libx265 -x265-params "
                                             "lossless=1:log-level=none:range=limited:colorprim=" +
                                             tags.primaries + ":colormatrix=" + tags.matrix +
                                             ":transfer=" + tags.transfer + " -tag:v hvc1");
    fixture::outputOf(
        "ffmpeg -v error -y -i " + path +
        " -frames:v 1 -vf "
        "zscale=f=spline36:p=bt709:t=bt709:m=bt709:agamma=false,format=yuv444p16le -f rawvideo " +
        path + ".yuv");
    const std::vector<uint8_t> wanted = fixture::readFile(path + ".yuv");
    const ImagePtr image = firstFrame(path);
    Differences levels;
    for (size_t i = 0; i < signals.size(); ++i) {
      const Color made = chart::patchOf(*image, i), right = chart::patchOf(wanted, i, signals.size());
      for (size_t c = 0; c < 3; ++c)
        levels.add(255 * std::abs(std::clamp(made[c], 0.0, 1.0) - std::clamp(right[c], 0.0, 1.0)));
    }
    std::printf("%s against zscale: mean %.2f levels, worst %.2f\n", name.c_str(), levels.mean(),
                levels.worst);
    CHECK(levels.mean() <= 0.6);
    CHECK(levels.worst <= 5);
  }
}
