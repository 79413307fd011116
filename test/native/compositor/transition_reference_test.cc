// Compares all transition styles that the installed ffmpeg supports with its xfade filter.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "compositor/compose_testing.h"

using namespace framewright;

namespace {

constexpr int kWidth = 320, kHeight = 180;
constexpr double kMoments[] = {0.25, 0.5, 0.75};

struct Tolerance {
  const char* style;
  double beyond;  // maximum percentage of samples that differ by more than kNear levels
  double mean;    // maximum mean difference in levels
  int ground =
      0;  // offset added to luma before xfade and removed afterwards: its black is 0 and its white 255
};
constexpr int kNear = 3;
constexpr int kBlack = -16, kWhite = 20;

constexpr Tolerance kTolerances[] = {
    // Styles with soft edges.
    {"fade", 0, 0.9},
    {"fadegrays", 0, 0.9},
    {"fadefast", 0, 0.9},
    {"fadeslow", 0, 0.9},
    {"distance", 0, 0.9},
    {"smoothleft", 0, 0.9},
    {"smoothright", 0, 0.9},
    {"smoothup", 0, 0.9},
    {"smoothdown", 0, 0.9},
    {"vertopen", 0, 0.9},
    {"vertclose", 0, 0.9},
    {"horzopen", 0, 0.9},
    {"horzclose", 0, 0.9},
    {"circleopen", 0, 0.9},
    {"circleclose", 0, 0.9},
    {"diagtl", 0, 0.9},
    {"diagtr", 0, 0.9},
    {"diagbl", 0, 0.9},
    {"diagbr", 0, 0.9},
    {"hblur", 0, 0.9},
    {"radial", 0.3, 0.3},
    // Hard edges differ by up to a pixel, since xfade rounds positions down.
    {"wipeleft", 0.9, 0.5},
    {"wiperight", 0.9, 0.5},
    {"wipeup", 0.9, 0.5},
    {"wipedown", 0.9, 0.5},
    {"wipetl", 0.9, 0.5},
    {"wipetr", 0.9, 0.5},
    {"wipebl", 0.9, 0.5},
    {"wipebr", 0.9, 0.5},
    {"slideleft", 0.9, 0.5},
    {"slideright", 0.9, 0.5},
    {"slideup", 0.9, 0.5},
    {"slidedown", 0.9, 0.5},
    {"hlslice", 2.6, 0.9},
    {"hrslice", 2.6, 0.9},
    {"vuslice", 2.6, 0.9},
    {"vdslice", 2.6, 0.9},
    // xfade picks samples that are averaged here.
    {"squeezeh", 9, 1.5},
    {"squeezev", 9, 1.5},
    {"zoomin", 4, 1.2},
    {"pixelize", 1.2, 0.8},
    {"fadeblack", 0, 0.9, kBlack},
    {"fadewhite", 0, 0.9, kWhite},
    {"circlecrop", 0.5, 0.7, kBlack},
    {"rectcrop", 0.8, 0.9, kBlack},
};

int wave(int x, int y, int dx, int dy, int low, int high) {
  const double phase = std::sin(x * 0.011 * dx + 0.7) * std::cos(y * 0.013 * dy);
  return static_cast<int>(low + (high - low) * (phase + 1) / 2);
}

std::shared_ptr<Image> image(bool second) {
  return paintPlanes(kWidth, kHeight, [second](int plane, int x, int y) {
    if (plane == 0) {
      const int mark = ((x + 10) / 20 + y / 20) % 4 == 0 ? 24 : 0;
      return second ? wave(x, y, 5, 3, 90, 200) + mark : wave(x, y, 2, 4, 20, 150) + mark;
    }
    return second ? wave(2 * x, 2 * y, plane, 3, 100, 190) : wave(2 * x, 2 * y, 3, plane, 60, 150);
  });
}

class Reference {
 public:
  Reference(const Image& from, const Image& to) {
    std::string folder = (std::filesystem::temp_directory_path() / "transitions-XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    folder_ = folder;
    write("a.yuv", from);
    write("b.yuv", to);
    REQUIRE(std::system(command().c_str()) == 0);
  }
  ~Reference() { std::filesystem::remove_all(folder_); }

  // Chroma downsampled by averaging.
  std::shared_ptr<Image> at(const Tolerance& wanted, double progress) const {
    std::ifstream file(folder_ / (std::string(wanted.style) + ".yuv"), std::ios::binary);
    std::vector<uint8_t> full(kFrame);
    file.seekg(static_cast<std::streamoff>(progress * 4) * static_cast<std::streamoff>(kFrame));
    REQUIRE(file.read(reinterpret_cast<char*>(full.data()), kFrame));
    return paintPlanes(kWidth, kHeight, [&](int plane, int x, int y) -> int {
      const uint8_t* samples = full.data() + plane * kWidth * kHeight;
      if (plane == 0) return samples[y * kWidth + x] - wanted.ground;
      const uint8_t* four = samples + 2 * y * kWidth + 2 * x;
      return (four[0] + four[1] + four[kWidth] + four[kWidth + 1] + 2) / 4;
    });
  }

 private:
  static constexpr size_t kFrame = size_t{3} * kWidth * kHeight;

  // 4:4:4 as used by xfade, with enough frames for a transition of four.
  void write(const char* name, const Image& image) const {
    std::ofstream file(folder_ / name, std::ios::binary);
    for (int n = 0; n < 6; ++n) {
      for (int p = 0; p < 3; ++p) {
        const int shrink = p == 0 ? 1 : 2;
        for (int y = 0; y < kHeight; ++y) {
          for (int x = 0; x < kWidth; ++x) {
            file.put(static_cast<char>(sampleAt(image, p, x / shrink, y / shrink)));
          }
        }
      }
    }
    REQUIRE(file.good());
  }

  std::string command() const {
    const std::string count = std::to_string(std::size(kTolerances));
    const std::string input = " -f rawvideo -pix_fmt yuv444p -s 320x180 -r 4 -i " + folder_.string();
    std::string splitA = "[0]split=" + count, splitB = "[1]split=" + count, chains, outputs;
    int n = 0;
    for (const Tolerance& t : kTolerances) {
      const std::string id = std::to_string(n++), shift = std::to_string(t.ground);
      splitA += "[a" + id + "]", splitB += "[b" + id + "]";
      chains += ";[a" + id + "]lutyuv=y=val+" + shift + "[c" + id + "];[b" + id + "]lutyuv=y=val+" + shift +
                "[d" + id + "];[c" + id + "][d" + id + "]xfade=transition=" + t.style +
                ":duration=1:offset=0[o" + id + "]";
      outputs += " -map '[o" + id + "]' -frames:v 4 -f rawvideo -pix_fmt yuv444p " + folder_.string() + "/" +
                 t.style + ".yuv";
    }
    return "ffmpeg -v error -nostdin -threads 1 -filter_complex_threads 1" + input + "/a.yuv" + input +
           "/b.yuv -filter_complex '" + splitA + ";" + splitB + chains + "'" + outputs;
  }

  std::filesystem::path folder_;
};

struct Difference {
  double beyond = 0, mean = 0;
};

Difference differenceOf(const Image& a, const Image& b) {
  double far = 0, sum = 0, count = 0;
  for (int p = 0; p < 3; ++p) {
    for (int y = 0; y < a.plane(p).height; ++y) {
      for (int x = 0; x < a.plane(p).width; ++x) {
        const int difference = std::abs(sampleAt(a, p, x, y) - sampleAt(b, p, x, y));
        far += difference > kNear ? 1 : 0;
        sum += difference;
        ++count;
      }
    }
  }
  return {100 * far / count, sum / count};
}

}  // namespace

TEST_CASE("transitions match xfade") {
  const auto from = image(false), to = image(true);
  const Reference reference(*from, *to);
  Composing composing;
  const int images[2] = {composing.addVideo(from), composing.addVideo(to)};
  const auto listOf = [&](int n) {
    auto list = std::make_shared<DrawList>();
    list->layers = {imageLayer(images[n], {0, 0, kWidth, kHeight})};
    return list;
  };
  for (const Tolerance& t : kTolerances) {
    for (const double progress : kMoments) {
      CAPTURE(t.style);
      CAPTURE(progress);
      Layer layer;
      layer.kind = Layer::Kind::kTransition;
      layer.style = t.style;
      layer.progress = progress;
      layer.from = listOf(0), layer.to = listOf(1);
      const auto frame = composing.compose(kWidth, kHeight, {layer});
      const Difference difference = differenceOf(*frame, *reference.at(t, progress));
      CHECK(difference.beyond <= t.beyond);
      CHECK(difference.mean <= t.mean);
    }
  }
}
