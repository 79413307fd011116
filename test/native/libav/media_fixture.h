#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/image.h"

// Media made by the ffmpeg program for one test run, in a folder that is removed at exit.
namespace framewright::fixture {

// A path in the test run's own folder.
std::string path(const std::string& name);

// Runs `ffmpeg ARGUMENTS PATH` once per name and returns PATH. Fails the test if ffmpeg fails.
std::string media(const std::string& name, const std::string& arguments);

// A video whose frame k is flat grey of luma 20 + 2k (k < 100), so that decoded frames can be identified.
// `encode`: output options, e.g. codec and pixel format.
std::string countingVideo(const std::string& name, const std::string& rate, const std::string& size,
                          int frames, const std::string& encode);
inline const std::string kH264 = "-c:v libx264 -crf 4 -bf 2 -pix_fmt yuv420p";

// The number of a counting video's frame, or -1 for another grey.
int frameNumber(const Image& image);
double meanLuma(const Image& image);

void writeFile(const std::string& path, const std::vector<uint8_t>& bytes);
std::vector<uint8_t> readFile(const std::string& path);
// The program's output without the last newline. Fails the test if it exits with an error.
std::string outputOf(const std::string& command);

struct Rgb {
  int r, g, b, a;
};
// kRgbaStraight: the stored pixel; kI420: converted by BT.709 limited range with the chroma of the pixel's
// block.
Rgb pixelAt(const Image& image, int x, int y);

}  // namespace framewright::fixture
