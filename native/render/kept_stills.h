#pragma once

#include <string>
#include <utility>

#include "compositor/compositor.h"
#include "timeline/draw_list.h"

namespace framewright {

// Prepared stills that outlive this process: a folder where whoever asks for a frame has put those of earlier
// runs as SOURCE.still, by their indices in the timeline, and finds as SOURCE.made what was made anew. That a
// file is of the very picture is that one's to know; for which sizes it was made it says itself. Any thread.
class KeptStills {
 public:
  // None are taken, and none are kept.
  KeptStills() = default;
  explicit KeptStills(std::string folder) : folder_(std::move(folder)) {}

  // Null where there is none that can be used.
  PreparedImagePtr take(const Compositor& compositor, int source, const DrawnSize& size) const;
  // What cannot be written is made anew next time.
  void keep(const Compositor& compositor, int source, const DrawnSize& size, const PreparedImage& still) const;

 private:
  std::string pathOf(int source, const char* ending) const;

  std::string folder_;
};

}  // namespace framewright
