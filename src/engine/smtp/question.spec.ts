import { describe, expect, it } from 'vitest';

import type { MailboxAnswer, Question } from './question.js';
import { QuestionQueue } from './question.js';

const ANSWER = { kind: 'cut_off' } as MailboxAnswer;

function asked(name: string, other: Partial<Question> = {}) {
  const answers: MailboxAnswer[] = [];
  const question: Question = {
    address: name,
    needsSmtpUtf8: false,
    ownTransaction: false,
    urgent: false,
    keepWarm: false,
    cancelled: false,
    asked: false,
    allowance: null,
    tries: 0,
    triedNullSender: false,
    behind: null,
    answer: (answer) => answers.push(answer),
    ...other,
  };
  return { question, answers };
}

function drain(queue: QuestionQueue): string[] {
  const names: string[] = [];
  for (let next = queue.take(); next !== null; next = queue.take()) names.push(next.address);
  return names;
}

describe('the queue of questions', () => {
  it('is first in, first out, with those who cannot wait before the others', () => {
    const queue = new QuestionQueue();
    for (const name of ['a', 'b']) queue.push(asked(name).question);
    for (const name of ['now', 'then']) queue.push(asked(name, { urgent: true }).question);
    queue.push(asked('c').question);
    expect(queue.length).toBe(5);
    expect(drain(queue)).toEqual(['now', 'then', 'a', 'b', 'c']);
    expect(queue.length).toBe(0);
  });

  it('asks those next that were put back, in their order', () => {
    const queue = new QuestionQueue();
    for (const name of ['a', 'b', 'c']) queue.push(asked(name).question);
    const [first, second] = [queue.take()!, queue.take()!];
    queue.putBack(first, second);
    expect(drain(queue)).toEqual(['a', 'b', 'c']);
  });

  it('passes over those who have gone, and never answers them', () => {
    const queue = new QuestionQueue();
    const [gone, there] = [asked('gone'), asked('there')];
    for (const { question } of [gone, there]) queue.push(question);
    gone.question.cancelled = true;
    queue.forget();
    expect(queue.open).toBe(1);
    expect(queue.take()).toBe(there.question);
    queue.answer(gone.question, ANSWER);
    queue.answer(there.question, ANSWER);
    expect([gone.answers, there.answers]).toEqual([[], [ANSWER]]);
    expect(queue.open).toBe(0);
  });

  it('falls empty when the last one has gone', () => {
    const queue = new QuestionQueue();
    const all = ['a', 'b', 'c'].map((name) => asked(name).question);
    for (const question of all) queue.push(question);
    for (const question of all) {
      question.cancelled = true;
      queue.forget();
    }
    expect([queue.open, queue.length]).toEqual([0, 0]);
  });

  it('answers everybody at once, each once', () => {
    const queue = new QuestionQueue();
    const all = ['a', 'b', 'c'].map((name) => asked(name, { urgent: name === 'b' }));
    for (const { question } of all) queue.push(question);
    queue.answerAll(ANSWER);
    queue.answerAll(ANSWER);
    expect(all.map(({ answers }) => answers.length)).toEqual([1, 1, 1]);
  });

  it('keeps its order and lets go of what is through, however long it gets', () => {
    const queue = new QuestionQueue();
    let given = 0;
    let taken = 0;
    for (let round = 0; round < 50; round += 1) {
      for (let index = 0; index < 300; index += 1) queue.push(asked(String(given++)).question);
      for (let index = 0; index < 250; index += 1) expect(queue.take()!.address).toBe(String(taken++));
    }
    expect(queue.length).toBe(given - taken);
    expect(drain(queue)).toHaveLength(given - taken);
  });
});
