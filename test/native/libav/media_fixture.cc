#include "libav/media_fixture.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

#include <doctest/doctest.h>
#include <unistd.h>

#include "libav/log_capture.h"

namespace framewright::fixture {
namespace {

struct Folder {
  std::filesystem::path root =
      std::filesystem::temp_directory_path() / ("framewright-media-" + std::to_string(::getpid()));
  std::set<std::string> made;
  Folder() {
    silenceLog();
    std::filesystem::create_directories(root);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }
};

Folder& folder() {
  static Folder instance;
  return instance;
}

void makeMedia(const std::string& arguments, const std::string& target) {
  // An endless source must not block the test run.
  outputOf("timeout 300 ffmpeg -v error -nostdin -y " + arguments + " '" + target + "'");
}

// The file that another process of the same run made with these arguments, or the path at which to store it;
// empty without a shared folder, or if the arguments name files of this process.
std::filesystem::path sharedPath(const std::string& name, const std::string& arguments) {
  const char* const shared = std::getenv("FRAMEWRIGHT_TEST_MEDIA");
  if (shared == nullptr || arguments.find(folder().root.string()) != std::string::npos) return {};
  return std::filesystem::path(shared) / (std::to_string(std::hash<std::string>()(arguments)) + "-" + name);
}

}  // namespace

std::string path(const std::string& name) { return (folder().root / name).string(); }

std::string outputOf(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  char buffer[4096];
  while (const size_t count = std::fread(buffer, 1, sizeof(buffer), pipe)) output.append(buffer, count);
  const int status = ::pclose(pipe);
  INFO(command);
  REQUIRE(status == 0);
  while (!output.empty() && output.back() == '\n') output.pop_back();
  return output;
}

std::string media(const std::string& name, const std::string& arguments) {
  const std::string target = path(name);
  if (!folder().made.insert(name).second) return target;
  const std::filesystem::path shared = sharedPath(name, arguments);
  // Image sequences are many files of one name.
  if (shared.empty() || name.find('%') != std::string::npos) {
    makeMedia(arguments, target);
  } else if (std::filesystem::exists(shared)) {
    std::filesystem::copy_file(shared, target, std::filesystem::copy_options::overwrite_existing);
  } else {
    makeMedia(arguments, target);
    const std::filesystem::path own = shared.string() + "." + std::to_string(::getpid());
    std::error_code ignored;
    if (std::filesystem::copy_file(target, own, ignored)) std::filesystem::rename(own, shared, ignored);
  }
  return target;
}

std::string countingVideo(const std::string& name, const std::string& rate, const std::string& size,
                          int frames, const std::string& encode) {
  return media(name, "-f lavfi -i \"color=gray:s=" + size + ":r=" + rate +
                         ",format=yuv444p,geq=lum='20+2*N':cb=128:cr=128\" -frames:v " +
                         std::to_string(frames) + " -colorspace bt709 -color_range tv " + encode);
}

double meanLuma(const Image& image) {
  const Plane& plane = image.plane(0);
  double sum = 0;
  for (int y = 0; y < plane.height; ++y) {
    for (int x = 0; x < plane.width; ++x) sum += plane.data[y * plane.stride + x];
  }
  return sum / (static_cast<double>(plane.width) * plane.height);
}

int frameNumber(const Image& image) {
  const double number = (meanLuma(image) - 20) / 2;
  return std::fabs(number - std::round(number)) < 0.3 ? static_cast<int>(std::round(number)) : -1;
}

void writeFile(const std::string& path, const std::vector<uint8_t>& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  REQUIRE(file.good());
}

std::vector<uint8_t> readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Rgb pixelAt(const Image& image, int x, int y) {
  const auto sample = [&](int p, int sx, int sy) {
    return image.plane(p).data[sy * image.plane(p).stride + sx];
  };
  if (image.format() != PixelFormat::kI420) {
    return {sample(0, x * 4, y), sample(0, x * 4 + 1, y), sample(0, x * 4 + 2, y), sample(0, x * 4 + 3, y)};
  }
  const double luma = (sample(0, x, y) - 16) * 255.0 / 219;
  const double cb = (sample(1, x / 2, y / 2) - 128) * 255.0 / 224,
               cr = (sample(2, x / 2, y / 2) - 128) * 255.0 / 224;
  const auto clamp = [](double v) {
    return static_cast<int>(std::lround(std::min(255.0, std::max(0.0, v))));
  };
  return {clamp(luma + 1.5748 * cr), clamp(luma - 0.187324 * cb - 0.468124 * cr), clamp(luma + 1.8556 * cb),
          255};
}

}  // namespace framewright::fixture
