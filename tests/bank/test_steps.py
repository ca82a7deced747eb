from amb_core import MemoryBank, StepResult, TaskStatus, TaskType


def test_a_new_bank_has_one_next_step(bank):
    assert len(bank.insight.pending_tasks) == 1
    assert bank.insight.pending.type is TaskType.NORMAL


def test_planning_again_without_a_change_changes_nothing(bank):
    before = bank.snapshot()

    assert bank.plan() == bank.plan() == before.insight
    assert bank.snapshot() == before


def test_a_finished_step_is_recorded_with_what_it_brought(bank, result):
    step = StepResult(tool_results=(result("The battery has a capacity of 18 MWh."),))
    insight = bank.host.finish_step(step)

    [done] = insight.completed_tasks
    assert done.status is TaskStatus.SUCCESS
    assert "18 MWh" in done.context


def test_a_failed_step_is_recorded_and_planned_again(bank):
    insight = bank.host.finish_step(StepResult(text="connection refused", failed=True))

    assert insight.completed_tasks[0].status is TaskStatus.FAILURE
    assert insight.pending is not None


def test_an_answered_task_is_finished(bank, result):
    bank.host.finish_step(StepResult(tool_results=(result("The battery has a capacity of 18 MWh."),)))
    for _ in range(6):
        if bank.insight.pending is None:
            break
        bank.host.finish_step(StepResult(answer="18 MWh [n1]"))

    assert bank.host.finished


def test_a_step_that_brings_nothing_is_given_up_in_the_end(bank):
    for _ in range(20):
        if bank.insight.pending is None:
            break
        bank.host.finish_step(StepResult())

    assert bank.insight.pending is None


def test_a_waiting_picture_is_recognised_by_a_step_and_kept_with_its_text(tmp_path):
    picture = tmp_path / "meter.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\nnot really a picture")
    with MemoryBank("What does the meter show?") as bank:
        attachment = bank.attach(picture)
        pending = bank.plan().pending
        bank.host.finish_step(StepResult(text="The meter in the picture shows 4,217 kWh."))

        [entry] = bank.host.deep_retrieval(bank.recall("meter").receipts[0].node_id)
        assert pending.attachment_ids == (attachment.id,)
        assert bank.host.waiting == ()
        assert entry.attachments[0].encoding == "base64"


def test_the_block_is_the_same_bytes_for_the_same_state(bank, result):
    bank.absorb(result("The battery has a capacity of 18 MWh."))

    assert bank.host.enhance().text == bank.host.enhance().text
