#include "vulkan/commands.h"

#include <array>

#include "vulkan/failure.h"

namespace framewright::vulkan {
namespace {

constexpr uint32_t kSetsPerPool = 64;
constexpr VkPipelineStageFlags kWorkStages =
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;

}  // namespace

Result<std::unique_ptr<Commands>> Commands::create(std::shared_ptr<Device> device) {
  auto commands = std::unique_ptr<Commands>(new Commands(std::move(device)));
  FW_RETURN_IF_ERROR(commands->open());
  return commands;
}

Status Commands::open() {
  const DeviceFunctions& vk = device_->functions();
  VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  pool.queueFamilyIndex = device_->queueFamily();
  FW_VK_RETURN_IF_ERROR("vkCreateCommandPool",
                        vk.CreateCommandPool(device_->handle(), &pool, nullptr, &pool_));
  VkCommandBufferAllocateInfo buffer{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  buffer.commandPool = pool_;
  buffer.commandBufferCount = 1;
  FW_VK_RETURN_IF_ERROR("vkAllocateCommandBuffers",
                        vk.AllocateCommandBuffers(device_->handle(), &buffer, &buffer_));
  const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  FW_VK_RETURN_IF_ERROR("vkCreateFence", vk.CreateFence(device_->handle(), &fence, nullptr, &fence_));
  if (!device_->hasTimestamps()) return {};
  VkQueryPoolCreateInfo queries{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
  queries.queryCount = kMaxTimestamps;
  FW_VK_RETURN_IF_ERROR("vkCreateQueryPool",
                        vk.CreateQueryPool(device_->handle(), &queries, nullptr, &queries_));
  return {};
}

Commands::~Commands() {
  const DeviceFunctions& vk = device_->functions();
  if (pending_) (void)wait();
  for (VkDescriptorPool pool : setPools_) vk.DestroyDescriptorPool(device_->handle(), pool, nullptr);
  if (queries_ != VK_NULL_HANDLE) vk.DestroyQueryPool(device_->handle(), queries_, nullptr);
  if (fence_ != VK_NULL_HANDLE) vk.DestroyFence(device_->handle(), fence_, nullptr);
  if (pool_ != VK_NULL_HANDLE) vk.DestroyCommandPool(device_->handle(), pool_, nullptr);
}

Status Commands::begin() {
  const DeviceFunctions& vk = device_->functions();
  FW_VK_RETURN_IF_ERROR("vkResetCommandPool", vk.ResetCommandPool(device_->handle(), pool_, 0));
  for (VkDescriptorPool pool : setPools_)
    FW_VK_RETURN_IF_ERROR("vkResetDescriptorPool", vk.ResetDescriptorPool(device_->handle(), pool, 0));
  setsTaken_ = 0;
  stamps_ = 0;
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  FW_VK_RETURN_IF_ERROR("vkBeginCommandBuffer", vk.BeginCommandBuffer(buffer_, &info));
  if (queries_ != VK_NULL_HANDLE) vk.CmdResetQueryPool(buffer_, queries_, 0, kMaxTimestamps);
  barrier();
  return {};
}

void Commands::barrier() {
  VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  memory.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  device_->functions().CmdPipelineBarrier(buffer_, kWorkStages, kWorkStages, 0, 1, &memory, 0, nullptr, 0,
                                          nullptr);
}

void Commands::copy(const Buffer& from, uint64_t fromOffset, const Buffer& to, uint64_t toOffset,
                    uint64_t bytes) {
  const VkBufferCopy region{fromOffset, toOffset, bytes};
  device_->functions().CmdCopyBuffer(buffer_, from.handle(), to.handle(), 1, &region);
}

void Commands::clear(const Buffer& buffer) {
  device_->functions().CmdFillBuffer(buffer_, buffer.handle(), 0, VK_WHOLE_SIZE, 0);
}

void Commands::release(const Buffer& buffer) {
  VkBufferMemoryBarrier given{VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  given.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  given.srcQueueFamilyIndex = device_->queueFamily();
  given.dstQueueFamilyIndex = recipientFamily(buffer.place(), device_->hasForeignFamily());
  given.buffer = buffer.handle();
  given.size = VK_WHOLE_SIZE;
  device_->functions().CmdPipelineBarrier(buffer_, kWorkStages, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0,
                                          nullptr, 1, &given, 0, nullptr);
}

void Commands::acquire(const Buffer& buffer) { transfer(buffer, false); }

void Commands::yield(const Buffer& buffer) { transfer(buffer, true); }

// Changes the queue family that owns memory which another API writes and this one reads.
void Commands::transfer(const Buffer& buffer, bool toOther) {
  const uint32_t own = device_->queueFamily(),
                 other = recipientFamily(buffer.place(), device_->hasForeignFamily());
  VkBufferMemoryBarrier owner{VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  owner.dstAccessMask = toOther ? 0 : VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
  owner.srcQueueFamilyIndex = toOther ? own : other;
  owner.dstQueueFamilyIndex = toOther ? other : own;
  owner.buffer = buffer.handle();
  owner.size = VK_WHOLE_SIZE;
  device_->functions().CmdPipelineBarrier(
      buffer_, toOther ? kWorkStages : VkPipelineStageFlags{VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT},
      toOther ? VkPipelineStageFlags{VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT} : kWorkStages, 0, 0, nullptr, 1,
      &owner, 0, nullptr);
}

Result<VkDescriptorSet> Commands::newSet() {
  const DeviceFunctions& vk = device_->functions();
  if (setsTaken_ == setPools_.size() * kSetsPerPool) {
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kSetsPerPool * kStorageBuffers};
    VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    info.maxSets = kSetsPerPool;
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    FW_VK_RETURN_IF_ERROR("vkCreateDescriptorPool",
                          vk.CreateDescriptorPool(device_->handle(), &info, nullptr, &pool));
    setPools_.push_back(pool);
  }
  const VkDescriptorSetLayout layout = device_->setLayout();
  VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = setPools_[setsTaken_ / kSetsPerPool];
  info.descriptorSetCount = 1;
  info.pSetLayouts = &layout;
  VkDescriptorSet set = VK_NULL_HANDLE;
  FW_VK_RETURN_IF_ERROR("vkAllocateDescriptorSets",
                        vk.AllocateDescriptorSets(device_->handle(), &info, &set));
  ++setsTaken_;
  return set;
}

Status Commands::dispatch(const ComputePipeline& pipeline, const Buffer& tables, const Buffer& target,
                          std::span<const Buffer* const> sources, std::span<const uint32_t> push,
                          const std::array<uint32_t, 3>& groups) {
  const DeviceFunctions& vk = device_->functions();
  FW_ASSIGN_OR_RETURN(const VkDescriptorSet set, newSet());
  VkDescriptorBufferInfo buffers[kStorageBuffers];
  buffers[0] = {tables.handle(), 0, VK_WHOLE_SIZE};
  buffers[1] = {target.handle(), 0, VK_WHOLE_SIZE};
  for (uint32_t i = 0; i < Device::kSources; ++i) {
    buffers[2 + i] = {(i < sources.size() ? *sources[i] : tables).handle(), 0, VK_WHOLE_SIZE};
  }
  VkWriteDescriptorSet writes[3]{};
  for (uint32_t i = 0; i < 3; ++i) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = i < 2 ? 1 : Device::kSources;
    writes[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    writes[i].pBufferInfo = &buffers[i];
  }
  vk.UpdateDescriptorSets(device_->handle(), 3, writes, 0, nullptr);
  vk.CmdBindPipeline(buffer_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle());
  vk.CmdBindDescriptorSets(buffer_, VK_PIPELINE_BIND_POINT_COMPUTE, device_->pipelineLayout(), 0, 1, &set, 0,
                           nullptr);
  if (!push.empty()) {
    vk.CmdPushConstants(buffer_, device_->pipelineLayout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                        static_cast<uint32_t>(push.size_bytes()), push.data());
  }
  vk.CmdDispatch(buffer_, groups[0], groups[1], groups[2]);
  return {};
}

void Commands::stamp() {
  if (queries_ == VK_NULL_HANDLE || stamps_ == kMaxTimestamps) return;
  device_->functions().CmdWriteTimestamp(buffer_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, stamps_++);
}

Status Commands::submit(const Timeline* timeline, uint64_t after) {
  const DeviceFunctions& vk = device_->functions();
  // Makes copies to host memory available when the fence is signalled.
  VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  memory.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  memory.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  vk.CmdPipelineBarrier(buffer_, kWorkStages, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &memory, 0, nullptr, 0,
                        nullptr);
  FW_VK_RETURN_IF_ERROR("vkEndCommandBuffer", vk.EndCommandBuffer(buffer_));
  FW_VK_RETURN_IF_ERROR("vkResetFences", vk.ResetFences(device_->handle(), 1, &fence_));
  VkSubmitInfo work{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  work.commandBufferCount = 1;
  work.pCommandBuffers = &buffer_;
  const uint64_t signalled = after + 1;
  const VkSemaphore semaphore = timeline == nullptr ? VK_NULL_HANDLE : timeline->handle();
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  if (timeline != nullptr) {
    work.pNext = &values;
    work.waitSemaphoreCount = work.signalSemaphoreCount = 1;
    work.pWaitSemaphores = work.pSignalSemaphores = &semaphore;
    work.pWaitDstStageMask = &kWorkStages;
    values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
    values.pWaitSemaphoreValues = &after;
    values.pSignalSemaphoreValues = &signalled;
  }
  FW_RETURN_IF_ERROR(device_->submit(work, fence_));
  pending_ = true;
  return {};
}

Status Commands::wait() {
  if (!pending_) return {};
  pending_ = false;
  return device_->wait(fence_);
}

Result<std::vector<double>> Commands::stampSeconds() const {
  std::vector<double> seconds;
  if (stamps_ == 0) return seconds;
  std::vector<uint64_t> ticks(stamps_);
  FW_VK_RETURN_IF_ERROR(
      "vkGetQueryPoolResults",
      device_->functions().GetQueryPoolResults(
          device_->handle(), queries_, 0, stamps_, ticks.size() * sizeof(uint64_t), ticks.data(),
          sizeof(uint64_t), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
  for (const uint64_t tick : ticks)
    seconds.push_back(static_cast<double>(tick - ticks[0]) * device_->limits().timestampPeriod * 1e-9);
  return seconds;
}

}  // namespace framewright::vulkan
