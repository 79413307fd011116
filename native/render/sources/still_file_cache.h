#pragma once

#include <string>
#include <utility>

#include "compositor/compositor.h"
#include "timeline/draw_list.h"

namespace framewright {

// Prepared stills as files that outlive the process. The caller of composeFrame() fills the folder with
// SOURCE.still, by source index in the timeline, and afterwards collects SOURCE.made, the stills prepared in
// this run. The caller checks that a file belongs to its source; the file itself records its drawn size. Any
// thread.
class StillFileCache {
 public:
  // Without a folder nothing is read or written.
  StillFileCache() = default;
  explicit StillFileCache(std::string folder) : folder_(std::move(folder)) {}

  // Null when there is no usable file.
  PreparedImagePtr read(const Compositor& compositor, int source, const DrawnSize& size) const;
  // Ignores write errors: the next run prepares the still again.
  void write(const Compositor& compositor, int source, const DrawnSize& size,
             const PreparedImage& still) const;

 private:
  std::string pathOf(int source, const char* extension) const;

  std::string folder_;
};

}  // namespace framewright
