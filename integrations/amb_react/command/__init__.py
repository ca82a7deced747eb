"""`amb run`: a whole task with a model and its tools, or offline from a corpus.

runs.py         with a model or offline; whatever happens, how to go on is said
run_options.py  its options, kept for `--resume`
run_folder.py   its files: options, memory, page, export
chat_models.py  the models: opened, counted, recorded, checked
model_runs.py   a run with a model from beginning to end; offline.py: one without
progress.py     a line for each request; run_report.py: what is printed in the end
"""

__all__: list[str] = []
