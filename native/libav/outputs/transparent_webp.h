#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "libav/av_handle.h"
#include "libav/outputs/codec_choice.h"
#include "libav/outputs/file_encoder.h"
#include "libav/outputs/output_frame.h"

namespace framewright {

// An animated WebP file with alpha: every frame is a still of the area that changed. It replaces what was
// shown there, or is drawn over it where all that changed is opaque. libwebp's own animation encoder blends
// frames with lossy colors over their predecessors, so that half transparent pixels become opaque from frame
// to frame where only their surroundings change.
class TransparentWebp final : public FileEncoder {
 public:
  static Result<std::unique_ptr<FileEncoder>> open(const OutputFile& file, const std::string& path,
                                                   const WriteWatch& watch, double quality);

  Status add(const ImagePtr& image, int64_t count) override;
  Result<OutputFileResult> finish() override;

 private:
  struct Area {
    int x = 0, y = 0, width = 0, height = 0;  // x and y are even
  };

  TransparentWebp(const OutputFile& file, const WriteWatch& watch, double quality);

  Status writeHeader();
  // Finds the blocks in which a frame differs visibly from what is shown; the area is empty if none does.
  Area findChanges(const AVFrame& frame);
  bool isBlockChanged(const AVFrame& frame, int column, int row) const;
  // Whether the changed blocks are opaque, so that the others may be left out.
  bool areChangesOpaque(const AVFrame& frame) const;
  void clearUnchanged(AVFrame& frame) const;
  // Copies what the next frame draws to `shown_`.
  Status draw(const AVFrame& frame, const Area& area);
  // Encodes the area as a still image into `still_`.
  Status encode(const AVFrame& frame, const Area& area);
  // Writes the still image, which is shown until the frame `end`.
  Status writeStill(int64_t end);
  Status write(const std::vector<uint8_t>& bytes);
  int64_t millisecondsAt(int64_t frame) const;

  const OutputFile file_;
  const WriteWatch watch_;
  const CodecChoice choice_;
  OutputFrameConverter converter_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> output_{nullptr, std::fclose};
  int64_t written_ = 0;         // bytes
  const int tolerance_;         // levels by which a color may differ unseen
  FramePtr shown_;              // colors as they were drawn
  std::vector<bool> changed_;   // blocks, by row
  std::vector<uint8_t> still_;  // chunks of a WebP file, not written yet
  Area area_;                   // of `still_`
  bool isOver_ = false;         // whether `still_` is drawn over what is shown
  int64_t stillStart_ = 0, frames_ = 0;
};

}  // namespace framewright
