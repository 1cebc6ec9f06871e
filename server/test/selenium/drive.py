"""Uses the common features of Selenium on a page, and prints the results as JSON.

usage: drive.py HOST:PORT PAGE-URL
"""

import json
import sys

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support import expected_conditions as expected
from selenium.webdriver.support.wait import WebDriverWait

debugger_address, url = sys.argv[1:]

options = webdriver.ChromeOptions()
options.debugger_address = debugger_address
driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
wait = WebDriverWait(driver, 10)
results = {}

driver.get(url)
results["title"] = driver.title
driver.find_element(By.ID, "name").send_keys("größer")
driver.find_element(By.CSS_SELECTOR, "button").click()
results["greeting"] = wait.until(expected.visibility_of_element_located((By.ID, "greeting"))).text

driver.find_element(By.ID, "ask").click()
alert = wait.until(expected.alert_is_present())
results["alert"] = alert.text
alert.accept()
results["answer"] = driver.find_element(By.ID, "answer").text

results["script"] = driver.execute_script("return [arguments[0] + 1, document.title]", 41)
results["async"] = driver.execute_async_script("setTimeout(arguments[0], 10, 'later')")

first = driver.current_window_handle
driver.find_element(By.ID, "other").click()
wait.until(expected.number_of_windows_to_be(2))
driver.switch_to.window([handle for handle in driver.window_handles if handle != first][0])
results["other"] = driver.current_url
driver.close()
driver.switch_to.window(first)
driver.switch_to.new_window("tab")
driver.close()
driver.switch_to.window(first)
results["windows"] = len(driver.window_handles)

driver.switch_to.frame("inner")
results["frame"] = driver.find_element(By.TAG_NAME, "p").text
driver.switch_to.default_content()

driver.add_cookie({"name": "cat", "value": "Mog"})
results["cookie"] = driver.get_cookie("cat")["value"]
driver.set_window_size(700, 500)
results["small"] = driver.get_window_size()
driver.maximize_window()
results["large"] = driver.get_window_size()
results["picture"] = driver.get_screenshot_as_png()[1:4].decode()
results["version"] = driver.execute_cdp_cmd("Browser.getVersion", {})["protocolVersion"]
driver.quit()
print(json.dumps(results))
