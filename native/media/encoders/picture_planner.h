#pragma once

#include <deque>
#include <optional>

#include "core/result.h"
#include "lookahead/lookahead.h"
#include "media/av_handle.h"

namespace framewright {

// All of the picture is finer by so many steps of the quantiser (below 0: coarser), and each macroblock, row
// by row, by so many quarters of one besides; none are named: by none. x264 with adaptive quantisation heeds
// it.
Status setQuality(AVFrame& frame, double steps, const std::vector<uint8_t>& quarters = {});

// The type that an encoder is asked for.
AVPictureType pictureType(PictureKind kind);

// Frames on their way to x264, which are told how they are to be coded. One thread at a time.
class PicturePlanner {
 public:
  explicit PicturePlanner(const LookaheadSettings& settings) : lookahead_(settings) {}

  // The next frame in order; its luma is in memory. `kind`: what it has to be; `finer`: steps of the
  // quantiser.
  void push(FramePtr frame, std::optional<PictureKind> kind, double finer);
  void end() { lookahead_.end(); }
  // The next frame in order; null when more must come first.
  Result<FramePtr> next();

 private:
  struct Waiting {
    FramePtr frame;
    double finer = 0;
  };

  Lookahead lookahead_;
  std::deque<Waiting> waiting_;
};

}  // namespace framewright
