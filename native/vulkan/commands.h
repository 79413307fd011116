#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "vulkan/buffer.h"
#include "vulkan/compute_pipeline.h"
#include "vulkan/timeline.h"

namespace framewright::vulkan {

// One command buffer, used repeatedly: begin, record, submit, wait. Used by one thread. Recorded resources
// must live until wait() returns.
class Commands {
 public:
  static Result<std::unique_ptr<Commands>> create(std::shared_ptr<Device> device);
  ~Commands();
  Commands(const Commands&) = delete;
  Commands& operator=(const Commands&) = delete;

  // Starts recording; results of earlier submissions are visible.
  Status begin();
  // Execution and memory barrier between all earlier and later shaders and copies.
  void barrier();
  void copy(const Buffer& from, uint64_t fromOffset, const Buffer& to, uint64_t toOffset, uint64_t bytes);
  void clear(const Buffer& buffer);
  // Releases the buffer's memory to the API that imported it, effective after wait(). It may be overwritten
  // here but no longer read.
  void release(const Buffer& buffer);
  // Makes visible what another API has written to the buffer's memory; its work must be complete.
  void acquire(const Buffer& buffer);
  // Returns memory that was acquired and only read.
  void yield(const Buffer& buffer);
  // Runs `groups` workgroups. Unused source bindings are filled with the tables.
  Status dispatch(const ComputePipeline& pipeline, const Buffer& tables, const Buffer& target,
                  std::span<const Buffer* const> sources, std::span<const uint32_t> push,
                  const std::array<uint32_t, 3>& groups);
  // Writes a timestamp after the commands so far; at most kMaxTimestamps per recording.
  void stamp();
  // Submits the recording; copies to host memory are readable after wait().
  // With a timeline, shaders and copies wait for its value `after`, and the end of the recording signals
  // after + 1.
  Status submit(const Timeline* timeline = nullptr, uint64_t after = 0);
  // Blocks until the submission has finished; returns at once without one.
  Status wait();
  bool isPending() const { return pending_; }
  // Seconds from the first timestamp to each; empty if the device has no timestamps. Call after wait().
  Result<std::vector<double>> stampSeconds() const;

  static constexpr uint32_t kMaxTimestamps = 256;

 private:
  explicit Commands(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  Status open();
  Result<VkDescriptorSet> newSet();
  void transfer(const Buffer& buffer, bool toOther);

  const std::shared_ptr<Device> device_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer buffer_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
  VkQueryPool queries_ = VK_NULL_HANDLE;
  std::vector<VkDescriptorPool> setPools_;  // kSetsPerPool sets each
  size_t setsTaken_ = 0;
  uint32_t stamps_ = 0;
  bool pending_ = false;
};

}  // namespace framewright::vulkan
