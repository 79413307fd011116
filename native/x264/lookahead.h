#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/image.h"
#include "x264/lowres_frame.h"
#include "x264/macroblock_tree.h"
#include "x264/motion_field.h"

namespace framewright {

enum class PictureKind {
  kKey,        // coded on its own; nothing after it refers to what is before it
  kReference,  // coded from the reference or key picture before it
  kBetween,    // coded from references on both sides
};

struct PicturePlan {
  PictureKind kind = PictureKind::kReference;
  // By how much each macroblock of 16 x 16, row by row, is worth coding finer: quarter steps of the
  // quantiser. Empty: by nothing.
  std::vector<uint8_t> finer;
};

struct LookaheadSettings {
  int keyframeInterval = 150;  // pictures from key to key at most
  int pictures = 10;           // that are looked ahead to at least, where there are so many
};

// Looks at the pictures to come, at half their size, and tells how each is to be coded: which are references
// and where the picture cuts to another, and which of their blocks others are made from. One thread at a
// time.
class Lookahead {
 public:
  static constexpr int kMostBetween = 3;

  explicit Lookahead(const LookaheadSettings& settings);
  ~Lookahead();

  // The next picture in order, all of one size; `luma` is read and not kept. `kind`: what it has to be.
  void push(const Plane& luma, std::optional<PictureKind> kind);
  // No other picture comes.
  void end() { ended_ = true; }
  // Of the next picture in order, if enough of those behind it are known.
  std::optional<PicturePlan> next();

 private:
  struct Picture;
  struct Group;
  using PicturePtr = std::shared_ptr<Picture>;

  Picture& at(int index) const;
  int known() const { return static_cast<int>(pictures_.size()); }
  const MotionField& fieldOf(int picture, int other);
  double shareLeft(int picture, int other);
  bool isLost(const Group& group);
  bool isKeyDue(int index, int64_t lastKey) const;
  bool isCut(int index, int64_t lastKey);
  std::optional<Group> nextGroup(int first, int64_t lastKey);
  int shorten(int first, int last, int64_t lastKey, bool& startsWithCut);
  std::vector<Group> findGroups();
  void growTree(const std::vector<Group>& groups);
  void passGroupOn(const Group& group);
  MadeFrom madeFrom(int picture, int other);
  MadeFromBoth madeFromBoth(int picture, int left, int right);
  void planFirst();

  const LookaheadSettings settings_;
  std::deque<PicturePtr> pictures_;  // that are not planned yet
  PicturePtr last_;                  // the reference before them
  std::vector<SmallPicture::Memory> spare_;
  std::deque<PicturePlan> plans_;
  std::shared_ptr<MotionField> latestField_;
  int latestDistance_ = 1;
  int64_t pushed_ = 0;
  int64_t lastKey_ = 0;
  bool ended_ = false;
};

}  // namespace framewright
