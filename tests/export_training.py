"""Takes one real step of TRL's trainers on exported folders, as a user would: load_dataset(FOLDER), then the trainer.

    python3 tests/export_training.py RIDGELINE STORE

Needs torch, datasets and trl. The model is a tiny random one and its tokenizer knows bytes alone: nothing is
downloaded. Texts are cut to CHARACTERS, since a step over whole kernels takes minutes on a CPU. Exits with 0 if every
trainer took its step with a finite loss; the trainer's own error says what it does not like otherwise.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
import warnings

os.environ |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error", "CUDA_VISIBLE_DEVICES": "", "TQDM_DISABLE": "1",
               "HF_DATASETS_DISABLE_PROGRESS_BARS": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
warnings.filterwarnings("ignore")

from datasets import load_dataset  # noqa: E402: reads the environment
from tokenizers import Tokenizer, decoders, models, pre_tokenizers  # noqa: E402
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast  # noqa: E402
from trl import DPOConfig, DPOTrainer, GRPOConfig, GRPOTrainer, KTOConfig, KTOTrainer, SFTConfig, SFTTrainer  # noqa: E402

CHARACTERS = 200
ROWS = 4
TEMPLATE = ("{% for m in messages %}<|{{ m['role'] }}|>{% generation %}{{ m['content'] }}<|end|>{% endgeneration %}"
            "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}")


def tokenizer():
    words = ["<|end|>", "<|pad|>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    bytes_alone = Tokenizer(models.BPE(vocab={word: i for i, word in enumerate(words)}, merges=[]))
    bytes_alone.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytes_alone.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=bytes_alone, eos_token="<|end|>", pad_token="<|pad|>",
                                   chat_template=TEMPLATE)


def save_model(path, words):
    """On disk, since trainers that need a reference load the model a second time."""
    LlamaForCausalLM(LlamaConfig(
        vocab_size=len(words), hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=2, max_position_embeddings=4096, pad_token_id=words.pad_token_id,
        eos_token_id=words.eos_token_id, bos_token_id=None)).save_pretrained(path)
    words.save_pretrained(path)
    return path


def cut(row):
    """The row with shorter messages, and all its other columns."""
    return {name: [message | {"content": message["content"][:CHARACTERS]} for message in value]
            if isinstance(value, list) else value for name, value in row.items()}


def best_speedup(completions, best_speedup, **_):
    """A reward of a column that stands beside the prompt."""
    return [len(one[0]["content"]) * 1e-3 + known for one, known in zip(completions, best_speedup)]


TRAINERS = {
    "trl-sft": (SFTTrainer, SFTConfig, {"max_length": 512}, {}),
    "trl-messages": (SFTTrainer, SFTConfig, {"max_length": 512}, {}),
    "trl-dpo": (DPOTrainer, DPOConfig, {"max_length": 512}, {}),
    "trl-kto": (KTOTrainer, KTOConfig, {"max_length": 512}, {}),
    "trl-grpo": (GRPOTrainer, GRPOConfig, {"max_completion_length": 8, "num_generations": 2},
                 {"reward_funcs": best_speedup}),
}


def step(form, folder, work):
    trainer_of, config_of, settings, more = TRAINERS[form]
    rows = load_dataset(folder, cache_dir=work + "/cache")["train"].map(cut)
    if form == "trl-kto":
        rows = rows.sort("label")  # its ends are then unwanted and wanted
    rows = rows.select([*range(ROWS // 2), *range(len(rows) - ROWS // 2, len(rows))])
    words = tokenizer()
    trainer = trainer_of(
        model=save_model(f"{work}/model", words), processing_class=words, train_dataset=rows,
        args=config_of(output_dir=f"{work}/{form}", max_steps=1, per_device_train_batch_size=ROWS, use_cpu=True,
                       bf16=False, report_to=[], save_strategy="no", logging_steps=1, disable_tqdm=True, **settings),
        **more)
    loss = trainer.train().training_loss
    if not math.isfinite(loss):
        raise SystemExit(f"export_training: {form} gave a loss of {loss}")
    print(f"{form}: {trainer_of.__name__} took a step over {len(rows)} rows, loss {loss:.3f}")


def main(program, store):
    with tempfile.TemporaryDirectory() as work:
        for form in TRAINERS:
            folder = f"{work}/data-{form}"
            done = subprocess.run([program, "export", store, "--format", form, "--out", folder, "--splits", "none",
                                   "--include-first-attempts", "--json"], stdout=subprocess.PIPE, text=True, check=True)
            if json.loads(done.stdout)["lines"] < ROWS:
                raise SystemExit(f"export_training: {store} gives fewer than {ROWS} lines of {form}")
            step(form, folder, work)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
