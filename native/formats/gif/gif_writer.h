#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "core/geometry.h"
#include "core/image.h"
#include "core/result.h"
#include "formats/gif/index_mapper.h"

namespace framewright::gif {

// Writes an animation that repeats endlessly. The caller removes an unfinished file. One thread.
class GifWriter {
 public:
  // `palette` has 1 to 255 colors. A pixel keeps its color from the frame before as long as that is at most
  // `tolerance` levels farther from the image than the best one: more makes smaller files. Fails with
  // IO_FAILED.
  static Result<std::unique_ptr<GifWriter>> create(const std::string& path, int width, int height,
                                                   const std::vector<Color>& palette, bool hasAlpha,
                                                   float tolerance = 0);
  // Shows a kRgbaStraight image of the file's size until `endSeconds` from the start of the animation.
  Status add(const Image& image, double endSeconds);
  Status finish();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  GifWriter(int width, int height, const std::vector<Color>& palette, bool hasAlpha, float tolerance);

  void appendHeader(const std::vector<Color>& palette);
  void keepColors(const Image& image);
  bool needsClear() const;
  Status writePending(bool clearsAfter);
  Status flush();
  bool isChanged(size_t pixel) const;

  const int width_, height_;
  const bool hasAlpha_;
  const float tolerance_;
  const int bits_;             // of an index
  const uint8_t transparent_;  // index
  IndexMapper mapper_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::vector<uint8_t> bytes_;
  std::vector<uint8_t> shown_;    // indices on the canvas before the pending frame
  std::vector<uint8_t> pending_;  // of the frame that is not written yet
  std::vector<uint8_t> next_;
  bool hasPending_ = false;
  int64_t startCs_ = 0, endCs_ = 0;  // of the pending frame, hundredths of a second
};

}  // namespace framewright::gif
