// Sealed inputs and digests of a device arena (docs/decisions/sealed-inputs.md), and the memory by which the
// L2 is emptied.
#include <ATen/ops/empty.h>

#include <algorithm>
#include <utility>

#include "engine/worker/judge/arenas/device_arena.hpp"

namespace ridgeline::judge {
namespace {

constexpr int kOpeningTries = 3;  // of which the least counts
// Bytes of inputs that are drawn before they are sealed, at least those of one argument: in many parts they
// take longer, and a large part is missing elsewhere.
constexpr std::size_t kDrawnAtOnce = std::size_t{64} << 20;

/// So that what lies behind begins at a multiple of the unit.
std::size_t with_distance(std::size_t bytes) {
  return (bytes + kDeviceLayout.unit - 1) / kDeviceLayout.unit * kDeviceLayout.unit;
}

}  // namespace

cuda::Sealing& DeviceTools::sealing() {
  if (sealing_) return *sealing_;
  sealing_.emplace(sealing_cubin(), device_, nullptr);
  fill_eviction();
  return *sealing_;
}

/// Seals what lies there, whatever it is, under a fresh key.
void DeviceTools::fill_eviction() {
  const auto piece = evicted();
  sealing_->upload({&piece, 1});
  secret_ = secrets_.next();
  sealing_->set_key(secret_);
  sealing_->toggle(0, 1);
  evicted_digest_ = sealing_->digest_now(0, 1, ~secret_);
}

/// Half of it: as much as twice the L2 where all is four times that.
cuda::DeviceRange DeviceTools::evicted() const {
  return {flush_.mapping.address(), flush_.mapping.bytes() / 2 / 16 * 16};
}

bool DeviceTools::eviction_was_unchanged() {
  const auto piece = evicted();
  sealing().upload({&piece, 1});
  if (sealing().digest_now(0, 1, ~secret_) == evicted_digest_) return true;
  fill_eviction();
  return false;
}

/// Adds the arguments of a slot that `use` names. Returns how many.
std::size_t DeviceArena::add_pieces(std::size_t slot, const std::vector<runner::SealedArgument>& arguments,
                                    std::uint32_t runner::SealedArgument::* use,
                                    std::vector<cuda::DeviceRange>& pieces) const {
  const std::size_t before = pieces.size();
  for (std::size_t a = 0; a < arguments.size(); ++a)
    if (arguments[a].*use != 0) pieces.push_back({data(slot, a), arguments[a].bytes});
  return pieces.size() - before;
}

/// An input that is to lie in a slot, sealed.
struct DeviceArena::Unsealed {
  std::size_t slot = 0, number = 0;          // among the slot's sealed arguments
  cuda::DeviceRange sealed;                  // its place in the slot
  CUdeviceptr open = 0;                      // where its values lie, once they are drawn
  std::optional<cuda::Generate> generation;  // by which they are drawn; else they lie there
};

/// Takes what would write inputs into slots out of the pending jobs. `drawn` keeps their values alive.
std::vector<DeviceArena::Unsealed> DeviceArena::take_inputs_to_seal(std::size_t slots,
                                                                    std::vector<at::Tensor>& drawn) {
  const auto arguments = sealed_arguments();
  std::vector<Unsealed> inputs;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    auto& pending = pending_[slot];
    std::vector<cuda::DeviceRange> places;
    add_pieces(slot, arguments, &runner::SealedArgument::sealed, places);
    const auto take = [&](CUdeviceptr to, CUdeviceptr open, std::optional<cuda::Generate> generation) {
      const auto place = std::ranges::find(places, to, &cuda::DeviceRange::address);
      if (place == places.end() || place->bytes == 0) return false;
      const auto number = static_cast<std::size_t>(place - places.begin());
      inputs.push_back({slot, number, *place, open, std::move(generation)});
      return true;
    };
    std::erase_if(pending.generations, [&](const auto& job) { return take(job.to, 0, job); });
    std::erase_if(pending.moves,
                  [&](const auto& job) { return job.from != 0 && take(job.to, job.from, std::nullopt); });
    drawn.insert(drawn.end(), pending.drawn.begin(), pending.drawn.end());
  }
  return inputs;
}

/// Draws inputs into `private_memory`, which holds them all, and writes them sealed into their slots.
void DeviceArena::draw_and_seal(std::span<Unsealed> inputs, std::span<const std::uint64_t> keys,
                                const at::Tensor& private_memory) {
  cuda::JobList list;
  CUdeviceptr free = private_memory.defined() ? address_of(private_memory) : 0;
  std::vector<cuda::DeviceRange> pieces;
  for (auto& input : inputs) {
    if (input.generation) {
      input.open = free;
      free += with_distance(input.sealed.bytes);
      list.generations.push_back(*input.generation);
      list.generations.back().to = input.open;
    }
    pieces.push_back({input.open, input.sealed.bytes});
    pieces.push_back(input.sealed);
  }
  tools_.jobs().run(list);
  auto& sealing = tools_.sealing();
  sealing.upload(pieces);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i == 0 || inputs[i].slot != inputs[i - 1].slot) sealing.set_key(keys[inputs[i].slot]);
    sealing.seal_piece(2 * i, 2 * i + 1, inputs[i].number);
  }
  sealing.wait();
}

void DeviceArena::settle_sealed(std::span<const std::uint64_t> keys) {
  std::vector<at::Tensor> drawn;
  auto inputs = take_inputs_to_seal(keys.size(), drawn);
  settle();
  const auto room_of = [](const Unsealed& input) {
    return input.generation ? with_distance(input.sealed.bytes) : std::size_t{0};
  };
  std::size_t largest = 0, together = 0;
  for (const auto& input : inputs) {
    largest = std::max(largest, room_of(input));
    together += room_of(input);
  }
  const std::size_t room = std::max(largest, std::min(together, kDrawnAtOnce));
  at::Tensor private_memory;
  if (room > 0)
    private_memory = at::empty({static_cast<std::int64_t>(room)},
                               at::TensorOptions().dtype(at::kByte).device(
                                   at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(tools_.device()))));
  for (std::size_t begin = 0; begin < inputs.size();) {
    std::size_t end = begin, taken = 0;
    while (end < inputs.size() && taken + room_of(inputs[end]) <= room) taken += room_of(inputs[end++]);
    draw_and_seal(std::span(inputs).subspan(begin, end - begin), keys, private_memory);
    begin = end;
  }
}

std::vector<cuda::OutputDigest> DeviceArena::digests(std::span<const std::uint64_t> keys, bool emptied) {
  if (!tools_.eviction_was_unchanged()) return {};
  auto& sealing = tools_.sealing();
  const auto arguments = sealed_arguments();
  std::vector<cuda::DeviceRange> pieces;
  std::size_t of_slot = 0;
  for (std::size_t slot = 0; slot < keys.size(); ++slot)
    of_slot = add_pieces(slot, arguments, &runner::SealedArgument::digested, pieces);
  sealing.upload(pieces);
  const auto evicted = emptied ? tools_.evicted() : cuda::DeviceRange{};
  std::vector<cuda::OutputDigest> found;
  for (std::size_t slot = 0; slot < keys.size(); ++slot)
    found.push_back(sealing.digest_now(slot * of_slot, of_slot, keys[slot], evicted));
  return found;
}

double DeviceArena::opening_seconds(std::size_t slots, bool empties_cache) {
  tools_.eviction_was_unchanged();  // of whoever ran before
  const auto arguments = sealed_arguments();
  std::vector<cuda::DeviceRange> pieces;
  std::size_t sealed = 0, digested = 0;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    sealed = add_pieces(slot, arguments, &runner::SealedArgument::sealed, pieces);
    digested = add_pieces(slot, arguments, &runner::SealedArgument::digested, pieces);
  }
  tools_.sealing().upload(pieces);
  const auto least_seconds = [&](std::size_t opened, std::size_t summed) {
    double least = 1;
    for (int i = 0; i < kOpeningTries; ++i)
      least = std::min(
          least, tools_.sealing().overhead_a_call(slots, opened, summed, tools_.evicted(), empties_cache));
    return least;
  };
  return std::max(0.0, least_seconds(sealed, digested) - least_seconds(0, 0));
}

std::size_t DeviceArena::opened_bytes_in_cache() const {
  std::size_t opened = 0;
  for (const auto& argument : sealed_arguments())
    if (argument.sealed != 0) opened += argument.bytes;
  return std::min(opened, tools_.l2_bytes());
}

}  // namespace ridgeline::judge
