#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "vulkan/buffer.h"
#include "vulkan/compute_pipeline.h"

namespace framewright::vulkan {

// One recording at a time: begin, record, submit, wait, and again. Used by one thread. Whatever was recorded
// must live until wait() has returned.
class Commands {
 public:
  static Result<std::unique_ptr<Commands>> create(std::shared_ptr<Device> device);
  ~Commands();
  Commands(const Commands&) = delete;
  Commands& operator=(const Commands&) = delete;

  // Everything submitted before is seen by what is recorded from here on.
  Status begin();
  // What stands before is done and seen by what follows: shaders and copies alike.
  void barrier();
  void copy(const Buffer& from, uint64_t fromOffset, const Buffer& to, uint64_t toOffset, uint64_t bytes);
  void clear(const Buffer& buffer);
  // What was copied there belongs to whoever the memory was given to, once wait() is over. Nothing may read
  // it here any more; it may be overwritten.
  void release(const Buffer& buffer);
  // `groups` of workgroups. Sources that are not given are filled up with the tables.
  Status dispatch(const ComputePipeline& pipeline, const Buffer& tables, const Buffer& target,
                  std::span<const Buffer* const> sources, std::span<const uint32_t> push,
                  const std::array<uint32_t, 3>& groups);
  // Remembers when what stands before was done; up to kMostStamps per recording.
  void stamp();
  // What was copied for the host can be read once wait() is over.
  Status submit();
  // Blocks until what was submitted is done; at once where nothing was.
  Status wait();
  bool isPending() const { return pending_; }
  // Seconds from the first stamp to each; empty where the device cannot tell. After wait().
  Result<std::vector<double>> stampSeconds() const;

  static constexpr uint32_t kMostStamps = 256;

 private:
  explicit Commands(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  Status open();
  Result<VkDescriptorSet> newSet();

  const std::shared_ptr<Device> device_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer buffer_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
  VkQueryPool queries_ = VK_NULL_HANDLE;
  std::vector<VkDescriptorPool> setPools_;  // each of kSetsPerPool sets
  size_t setsTaken_ = 0;
  uint32_t stamps_ = 0;
  bool pending_ = false;
};

}  // namespace framewright::vulkan
