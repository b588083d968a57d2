"""The page, clicked through: it shows what the JSON says, by itself, and stays quick."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from sk2d.evaluation.markdown import number, percent
from sk2d.evaluation.page import evaluation_page

Browse = Callable[[str], Any]
FUNCTIONS = "#functions tbody tr"


def find(browser: Any, selector: str) -> Any:
    return browser.find_element("css selector", selector)


def texts(browser: Any, selector: str) -> list[str]:
    return [each.text for each in browser.find_elements("css selector", selector)]


def choose(browser: Any, select: str, value: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(find(browser, select)).select_by_value(value)


@pytest.fixture
def browser(browse: Browse, results: dict[str, Any]) -> Any:
    return browse(evaluation_page(results))


def test_nothing_is_fetched_and_nothing_goes_wrong(browser: Any) -> None:
    for tab in ("Functions", "Settings", "Overview"):
        find(browser, f"[data-tab={tab}]").click()
    assert browser.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = {
        message["params"]["request"]["url"].partition(":")[0]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    }
    assert asked <= {"file", "data"}


def test_the_tables_show_the_numbers_of_the_json(browser: Any, results: dict[str, Any]) -> None:
    for system, numbers in results["systems"].items():
        for measure in ("executable", "compilable", "builds_but_wrong"):
            cell = f"#headline [data-system='{system}'][data-measure='{measure}']"
            assert find(browser, cell).text == percent(numbers[measure]["total"])
        cell = f"#headline [data-system='{system}'][data-measure='r2i']"
        assert find(browser, cell).text == number(numbers["r2i"]["total"])
    for summary in browser.find_elements("css selector", "summary"):
        summary.click()
    for level, share in results["systems"]["mine"]["executable"].items():
        cell = f"[data-system=mine][data-measure=executable][data-level={level}]"
        assert find(browser, cell).text == percent(share)
    assert results["candidate_set"] in find(browser, "main").text


def test_bars_are_as_high_as_the_shares(browser: Any, results: dict[str, Any]) -> None:
    titles = browser.execute_script(
        "return [...document.querySelectorAll('figure:first-of-type rect title')]"
        ".map((title) => [title.textContent, title.parentNode.height.baseVal.value])"
    )
    heights = dict(titles)
    assert heights["mine, O0: 50.0 %"] == pytest.approx(heights["mine, total: 25.0 %"] * 2)


def test_filters_and_search(browser: Any) -> None:
    find(browser, "[data-tab=Functions]").click()
    assert len(texts(browser, FUNCTIONS)) == 4
    choose(browser, "#level", "O0")
    assert find(browser, "#count").text == "2 of 4 functions"
    choose(browser, "#level", "")
    choose(browser, "#system", "mine")
    choose(browser, "#verdict", "wrong")
    assert [row.split()[0] for row in texts(browser, FUNCTIONS)] == ["twice/O2"]
    choose(browser, "#verdict", "")
    find(browser, "#search").send_keys("ITEMS best")
    assert [row.split()[0] for row in texts(browser, FUNCTIONS)] == ["largest/O0"]
    find(browser, "#search").clear()
    find(browser, "#search").send_keys("nothing has this")
    assert find(browser, "#count").text == "0 of 4 functions"


def test_only_where_systems_differ(browser: Any) -> None:
    find(browser, "[data-tab=Functions]").click()
    find(browser, "#differ").click()
    assert "twice/O0" not in [row.split()[0] for row in texts(browser, FUNCTIONS)]


def test_a_function_opens_side_by_side(browser: Any, results: dict[str, Any]) -> None:
    find(browser, "[data-tab=Functions]").click()
    find(browser, "tr[data-id='largest/O0']").click()
    one = next(each for each in results["functions"] if each["id"] == "largest/O0")
    assert find(browser, "#function").get_attribute("data-id") == "largest/O0"
    assert find(browser, "[data-pane=source] pre").text == one["reference"]
    for system, answer in one["answers"].items():
        pane = find(browser, f"[data-pane='{system}']")
        shown = [each.text for each in pane.find_elements("css selector", "pre")]
        assert answer["code"].strip() in [text.strip() for text in shown]
        assert number(answer["edit"]) in pane.text
    mine = find(browser, "[data-pane=mine]")
    assert "does not compile" in mine.text
    assert "invalid operands" in mine.text


def test_the_keyboard_moves_through_functions(browser: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    find(browser, "[data-tab=Functions]").click()
    find(browser, "tr[data-id='twice/O0']").send_keys(Keys.ENTER)
    assert find(browser, "#function").get_attribute("data-id") == "twice/O0"
    browser.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    assert find(browser, "#function").get_attribute("data-id") == "twice/O2"


def test_light_and_dark(browser: Any) -> None:
    def ground() -> str:
        return str(find(browser, "body").value_of_css_property("background-color"))

    before = ground()
    find(browser, "#theme").click()
    assert ground() != before
    find(browser, "#theme").click()
    assert ground() == before


def test_text_of_a_model_is_text_and_nothing_else(browse: Browse, results: dict[str, Any]) -> None:
    hostile = copy.deepcopy(results)
    code = (
        "</script><script>document.title='taken'</script><img src=x onerror=alert(1)> \udce9 & &lt;"
    )
    hostile["functions"][0]["answers"]["mine"]["code"] = code
    hostile["functions"][0]["answers"]["mine"]["message"] = code
    browser = browse(evaluation_page(hostile))
    find(browser, "[data-tab=Functions]").click()
    find(browser, "tr[data-id='twice/O0']").click()
    assert browser.title == "Evaluation on set"
    pre = "document.querySelector('[data-pane=mine] pre:last-of-type')"
    assert browser.execute_script(f"return {pre}.textContent.startsWith('</script><script>')")
    assert not browser.find_elements("css selector", "img")


def test_2000_functions_stay_responsive(browse: Browse, results: dict[str, Any]) -> None:
    many = copy.deepcopy(results)
    many["functions"] = [
        one | {"id": f"{one['id']}/{number}"}
        for number in range(500)
        for one in results["functions"]
    ]
    browser = browse(evaluation_page(many))
    find(browser, "[data-tab=Functions]").click()
    assert find(browser, "#count").text == "2000 of 2000 functions"
    assert len(texts(browser, FUNCTIONS)) <= 200  # rows are made as they are asked for
    find(browser, "#search").send_keys("largest 499")
    assert find(browser, "#count").text == "1 of 2000 functions"
    find(browser, "#search").clear()
    find(browser, "#search").send_keys("twice")
    find(browser, "#more").click()
    assert 100 < len(texts(browser, FUNCTIONS)) <= 400
