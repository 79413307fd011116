#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/image.h"

// Media made by the ffmpeg program for one test run, in a folder that is removed at exit.
namespace framewright::fixture {

// A path in the test run's own folder.
std::string path(const std::string& name);

// Runs `ffmpeg ARGUMENTS PATH` once per name and gives PATH. Fails the test when ffmpeg does.
std::string media(const std::string& name, const std::string& arguments);

// A video whose picture k is flat grey of luma 20 + 2k (k < 100), so a decoded picture tells its number.
// `encode`: output options, e.g. codec and pixel format.
std::string countingVideo(const std::string& name, const std::string& rate, const std::string& size,
                          int frames, const std::string& encode);
inline const std::string kH264 = "-c:v libx264 -crf 4 -bf 2 -pix_fmt yuv420p";

// The number of a counting video's picture, or -1 when its grey is not one of them.
int frameNumber(const Image& image);
double meanLuma(const Image& image);

void writeFile(const std::string& path, const std::vector<uint8_t>& bytes);
std::vector<uint8_t> readFile(const std::string& path);
// What the program prints, without the last newline. Fails the test when it exits with an error.
std::string outputOf(const std::string& command);

struct Rgb {
  int r, g, b, a;
};
// Of kRgbaStraight as stored; of kI420 by the BT.709 limited equations, from the pixel's own block.
Rgb pixelAt(const Image& image, int x, int y);

}  // namespace framewright::fixture
